use std::collections::BTreeSet;

use super::*;

#[test]
fn every_seed_is_a_country_that_fits_together() {
    let mut names = BTreeSet::new();
    for seed in [1, 7, 99, 12_345] {
        let country = Country::of_seed(seed);
        names.insert(country.towns[0].name.clone());
        assert_eq!((country.towns.len(), country.regions.len()), (46, 7), "{seed}");
        assert!(country.towns.is_sorted_by_key(|town| std::cmp::Reverse(town.population)));
        let slugs: BTreeSet<&str> = country.towns.iter().map(|town| town.slug.as_str()).collect();
        assert_eq!(slugs.len(), 46, "names of towns are given once");
        for (at, region) in country.regions.iter().enumerate() {
            assert_eq!(country.towns[region.seat].region, at, "{} lies outside of its region", region.name);
            assert!(region.area > 500 && region.population > country.towns[region.seat].population);
        }
        let landmarks: BTreeSet<&str> =
            country.landmarks.iter().map(|landmark| landmark.slug.as_str()).collect();
        assert_eq!(landmarks.len(), country.landmarks.len());
    }
    assert_eq!(names.len(), 4, "no two countries are alike");
}

#[test]
fn addresses_are_where_they_say() {
    let country = Country::of_seed(7);
    let mut random = umpire_model::Random::new(3);
    for _ in 0..60 {
        let town = random.below(country.towns.len());
        let address = country.towns[town].random_address(town, &mut random);
        let point = country.point_of(address);
        let found = country.address_at(point).expect("somebody lives there");
        assert!(country.point_of(found).metres_to(point) < 12.0, "{}", country.write_address(address));
        assert!(
            country.towns[town].districts().any(|(name, _)| name == country.towns[town].district_of(address))
        );
    }
    assert_eq!(country.address_at(Point::new(0.0, 0.0)), None, "the sea has no addresses");
}

/// Seconds from one crossing to another for somebody who may use every road at a walker's speed.
fn seconds_on_any_road(country: &Country, from: usize, to: usize) -> u32 {
    let (_, steps, _) = country.network.quickest(&[(from, 0)], &[(to, 0)], |_| 3_600).expect("joined");
    steps.iter().map(|step| step.seconds).sum()
}

#[test]
fn every_town_can_be_reached_on_foot_and_ways_are_no_detours() {
    let country = Country::of_seed(7);
    let walk = |class| if class == Class::Motorway { 0 } else { 3_600 };
    let start = country.network.crossing(0, 0);
    for town in 1..country.towns.len() {
        let goal = country.network.crossing(town, 0);
        let (from, steps, to) = country.network.quickest(&[(start, 0)], &[(goal, 0)], walk).expect("a way");
        assert_eq!((from, to), (start, goal));
        let metres: u32 = steps.iter().map(|step| step.metres).sum();
        let straight = country.network.point(start).metres_to(country.network.point(goal));
        assert!(
            f64::from(metres) >= straight * 0.99 && f64::from(metres) < straight * 2.2 + 3_000.0,
            "{town}"
        );
        assert!(steps.windows(2).all(|pair| pair[0].course.last() == pair[1].course.first()));
        let seconds: u32 = steps.iter().map(|step| step.seconds).sum();
        assert!(seconds_on_any_road(&country, start, goal) <= seconds, "more roads cannot make it longer");
    }
    assert!(country.network.quickest(&[(start, 0)], &[(country.network.crossing(3, 0), 0)], |_| 0).is_none());
}
