//! What may be asked at all: one query.
//!
//! This is the first of several fences, and the only one that stops what a read-only transaction lets through, such
//! as copying a table into a file of the server's.

use crate::problem::Problem;

const QUERIES: [&str; 4] = ["SELECT", "WITH", "VALUES", "TABLE"];

pub(super) fn check(query: &str) -> Result<(), Problem> {
    let skeleton = skeleton(query);
    let mut words = skeleton
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_uppercase);
    match words.next() {
        None => return Err(Problem::refused("the query is empty")),
        Some(first) if QUERIES.contains(&first.as_str()) => {}
        Some(first) => return Err(Problem::refused(format!("`{first}` is no query; only those are asked"))),
    }
    if words.any(|word| word == "INTO") {
        return Err(Problem::refused("`INTO` writes; a check only reads"));
    }
    Ok(())
}

/// Refuses a second statement. Servers do that by themselves; SQLite's driver would run it.
pub(super) fn check_single(query: &str) -> Result<(), Problem> {
    match skeleton(query).split_once(';') {
        Some((_, rest)) if !rest.trim_matches(|c: char| c == ';' || c.is_whitespace()).is_empty() => {
            Err(Problem::refused("one is allowed, this is more than one statement"))
        }
        _ => Ok(()),
    }
}

/// The query without comments and without what stands between quotes.
fn skeleton(query: &str) -> String {
    let mut skeleton = String::with_capacity(query.len());
    let mut rest = query;
    while let Some(first) = rest.chars().next() {
        let close = match first {
            '\'' | '"' | '`' => Some(first),
            '[' => Some(']'),
            _ => None,
        };
        let passed = if rest.starts_with("--") {
            skeleton.push(' ');
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") && !rest.starts_with("/*!") {
            // MySQL executes what stands in `/*! … */`, so that one is no comment.
            skeleton.push(' ');
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(close) = close {
            skeleton.push_str(" '' ");
            rest[1..].find(close).map_or(rest.len(), |end| end + 2)
        } else {
            skeleton.push(first);
            first.len_utf8()
        };
        rest = &rest[passed..];
    }
    skeleton
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_queries_are_asked() {
        for (query, allowed) in [
            ("SELECT 1", true),
            ("  -- why\n/* what */ select * from t;", true),
            ("(SELECT 1) UNION (SELECT 2)", true),
            ("WITH a AS (SELECT 1) SELECT * FROM a", true),
            ("VALUES (1), (2)", true),
            ("SELECT 'insert into x', \"into\", `into` FROM t", true),
            ("SELECT into_stock FROM t", true),
            ("", false),
            ("-- nothing", false),
            ("/* SELECT */", false),
            ("DELETE FROM t", false),
            ("insert into t values (1)", false),
            ("/* SELECT */ UPDATE t SET a = 1", false),
            ("/*! DELETE FROM t */", false),
            ("COPY t TO PROGRAM 'sh'", false),
            ("PRAGMA query_only = OFF", false),
            ("ATTACH 'x' AS y", false),
            ("COMMIT", false),
            ("DO $$ begin end $$", false),
            ("SELECT 1 INTO OUTFILE '/tmp/x'", false),
            ("SELECT 1 /*! INTO OUTFILE '/tmp/x' */", false),
            ("SELECT a INTO b FROM c", false),
        ] {
            assert_eq!(check(query).is_ok(), allowed, "{query}");
        }
    }

    #[test]
    fn one_statement() {
        for (query, single) in [
            ("SELECT 1", true),
            ("SELECT 1;", true),
            ("SELECT 1 ; -- done\n;", true),
            ("SELECT ';' , \";\", [;], `;` /* ; */", true),
            ("SELECT 'it''s; fine'", true),
            ("SELECT 1; DELETE FROM t", false),
            ("SELECT 'a'; SELECT 'b'", false),
            ("SELECT 1 --;\n; SELECT 2", false),
        ] {
            assert_eq!(check_single(query).is_ok(), single, "{query}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(query in "[ -~é;'\"`\\[\\]/*!\n-]{0,60}") {
            let _ = (check(&query), check_single(&query));
        }
    }
}
