use umpire_persona::*;
fn main() {
    let t = Tables::embedded();
    let arg: usize = std::env::args().nth(1).map_or(0, |a| a.parse().unwrap_or(0));
    let people = people(t, 7, 50);
    let start = std::time::Instant::now();
    let extent = Extent { entries: 2000, until: "2026-03-15".parse().expect("day") };
    let mut n = 0;
    for (i, p) in people.into_iter().enumerate() {
        let profile = free_profile(t, 7, p);
        let g = generate(t, 7, &profile, extent);
        n += g.history.entries.len();
        if i == arg { println!("{}", profile.told()); for e in &g.history.entries { println!("{} {:10} {:24} {}", e.timestamp, e.kind.name(), e.website, e.object); } }
    }
    eprintln!("{n} entries in {:?}", start.elapsed());
}
