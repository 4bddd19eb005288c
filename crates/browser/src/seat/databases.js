// Databases of the page's origin, read and written. Evaluated in an isolated world on an empty page.
const ARRAYS = {
  i8: Int8Array, ui8: Uint8Array, ui8c: Uint8ClampedArray, i16: Int16Array, ui16: Uint16Array, i32: Int32Array,
  ui32: Uint32Array, f32: Float32Array, f64: Float64Array, bi64: BigInt64Array, bui64: BigUint64Array,
};
const isObject = (value) => typeof value === "object" && value !== null;
const isPlain = (value) => Object.getPrototypeOf(value) === Object.prototype;

const answered = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
  request.onblocked = () => reject(new Error("another page holds the database"));
});

/** Whether JSON says all there is to a value. */
function isJson(value, seen = new Set()) {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (!isObject(value) || seen.has(value) || !(Array.isArray(value) || isPlain(value))) return false;
  seen.add(value);
  const keys = Object.keys(value);
  if (Array.isArray(value) && keys.length !== value.length) return false;
  return keys.every((key) => isJson(value[key], seen));
}

const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

function encode(value, seen = new Map()) {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (value === null || value === undefined) return { v: String(value) };
  if (typeof value === "bigint") return { bi: String(value) };
  if (typeof value === "number") {
    if (Object.is(value, -0)) return { v: "-0" };
    return Number.isFinite(value) ? value : { v: String(value) };
  }
  if (value instanceof Date) return { d: Number.isNaN(value.getTime()) ? "" : value.toISOString() };
  if (value instanceof RegExp) return { r: { p: value.source, f: value.flags } };
  if (value instanceof Error) return { e: { n: value.name, m: value.message, s: value.stack ?? "" } };
  if (value instanceof ArrayBuffer) return { ab: { b: toBase64(new Uint8Array(value)) } };
  const kind = Object.keys(ARRAYS).find((key) => value instanceof ARRAYS[key]);
  if (kind) return { ta: { b: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)), k: kind } };
  if (seen.has(value)) return { ref: seen.get(value) };
  const id = seen.size + 1;
  seen.set(value, id);
  if (value instanceof Map) return { m: Array.from(value, ([k, v]) => ({ k: encode(k, seen), v: encode(v, seen) })), id };
  if (value instanceof Set) return { s: Array.from(value, (item) => encode(item, seen)), id };
  if (Array.isArray(value)) return { a: Array.from(value, (item) => encode(item, seen)), id };
  if (isPlain(value)) return { o: Object.keys(value).map((k) => ({ k, v: encode(value[k], seen) })), id };
  throw new TypeError(value.constructor?.name ?? typeof value);
}

function decode(told, seen = new Map()) {
  if (!isObject(told)) return told;
  if ("ref" in told) return seen.get(told.ref);
  if ("v" in told) return { null: null, NaN, Infinity, "-Infinity": -Infinity, "-0": -0 }[told.v];
  if ("bi" in told) return BigInt(told.bi);
  if ("d" in told) return new Date(told.d);
  if ("u" in told) return told.u;
  if ("r" in told) return new RegExp(told.r.p, told.r.f);
  if ("e" in told) return Object.assign(new Error(told.e.m), { name: told.e.n, stack: told.e.s });
  if ("ab" in told) return fromBase64(told.ab.b).buffer;
  if ("ta" in told) return new ARRAYS[told.ta.k](fromBase64(told.ta.b).buffer);
  const begun = (value) => (seen.set(told.id, value), value);
  if ("m" in told) {
    const map = begun(new Map());
    for (const { k, v } of told.m) map.set(decode(k, seen), decode(v, seen));
    return map;
  }
  if ("s" in told) {
    const set = begun(new Set());
    for (const item of told.s) set.add(decode(item, seen));
    return set;
  }
  if ("a" in told) {
    const list = begun([]);
    for (const item of told.a) list.push(decode(item, seen));
    return list;
  }
  if ("o" in told) {
    const object = begun({});
    const own = { writable: true, enumerable: true, configurable: true };
    for (const { k, v } of told.o) Object.defineProperty(object, k, { ...own, value: decode(v, seen) });
    return object;
  }
  throw new TypeError("an encoded value of an unknown kind");
}

const told = (field, value) => (isJson(value) ? { [field]: value } : { [`${field}Encoded`]: encode(value) });
const toldBy = (record, field) => (field in record ? record[field] : decode(record[`${field}Encoded`]));

const pathOf = ({ keyPath }) =>
  typeof keyPath === "string" ? { keyPath } : keyPath === null ? {} : { keyPathArray: Array.from(keyPath) };

async function readStore(store, where, unkept) {
  const records = [];
  for (const key of await answered(store.getAllKeys())) {
    const value = await answered(store.get(key));
    try {
      records.push({ ...(store.keyPath === null && told("key", key)), ...told("value", value) });
    } catch (problem) {
      unkept.push(`a record of ${where}, because of a ${problem.message} in it`);
    }
  }
  const indexes = Array.from(store.indexNames, (name) => store.index(name)).map((index) => (
    { name: index.name, ...pathOf(index), multiEntry: index.multiEntry, unique: index.unique }
  ));
  return { name: store.name, ...pathOf(store), autoIncrement: store.autoIncrement, indexes, records };
}

async function readDatabases() {
  const databases = [];
  const unkept = [];
  const known = await indexedDB.databases();
  known.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, version } of known) {
    const database = await answered(indexedDB.open(name));
    try {
      const stores = [];
      for (const store of database.objectStoreNames) {
        const within = database.transaction(store).objectStore(store);
        stores.push(await readStore(within, `${name}/${store}`, unkept));
      }
      databases.push({ name, version, stores });
    } finally {
      database.close();
    }
  }
  return { databases, unkept };
}

async function createDatabase({ name, version, stores }) {
  await answered(indexedDB.deleteDatabase(name));
  const opening = indexedDB.open(name, version);
  opening.onupgradeneeded = () => {
    for (const { name, keyPath, keyPathArray, autoIncrement, indexes } of stores) {
      const store = opening.result.createObjectStore(name, { keyPath: keyPathArray ?? keyPath ?? null, autoIncrement });
      for (const index of indexes) {
        const { multiEntry, unique } = index;
        store.createIndex(index.name, index.keyPathArray ?? index.keyPath, { multiEntry, unique });
      }
    }
  };
  return answered(opening);
}

async function fillStore(database, { name, records }) {
  const transaction = database.transaction(name, "readwrite");
  const isDone = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  const store = transaction.objectStore(name);
  for (const record of records) {
    const value = toldBy(record, "value");
    if (store.keyPath === null) store.add(value, toldBy(record, "key"));
    else store.add(value);
  }
  await isDone;
}

async function writeDatabases(databases) {
  for (const described of databases) {
    const database = await createDatabase(described);
    try {
      for (const store of described.stores) await fillStore(database, store);
    } finally {
      database.close();
    }
  }
  return null;
}
