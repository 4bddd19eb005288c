//! Standings as CSV. As JSON they are what serde makes of them.

use super::{DayStanding, Standings};

impl Standings {
    /// One line an agent.
    pub fn to_csv(&self) -> String {
        let head = [
            "rank",
            "agent",
            "rating",
            "low",
            "high",
            "battles",
            "wins",
            "losses",
            "ties",
            "both_bad",
            "win_rate",
            "provisional",
        ];
        let rows = self.rows.iter().map(|row| {
            vec![
                row.rank.to_string(),
                row.agent.clone(),
                format!("{:.1}", row.rating),
                format!("{:.1}", row.low),
                format!("{:.1}", row.high),
                row.battles.to_string(),
                row.wins.to_string(),
                row.losses.to_string(),
                row.ties.to_string(),
                row.both_bad.to_string(),
                row.win_rate.map(|rate| format!("{rate:.4}")).unwrap_or_default(),
                row.provisional.to_string(),
            ]
        });
        csv_of(&head, rows)
    }

    /// One line a pair of agents that met: how often, and how many decided battles the first won.
    pub fn pairs_to_csv(&self) -> String {
        let mut rows = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            for (place, column) in self.rows.iter().enumerate().filter(|(place, _)| *place != at) {
                if self.battle_counts[at][place] > 0 {
                    let fraction = self.win_fractions[at][place];
                    rows.push(vec![
                        row.agent.clone(),
                        column.agent.clone(),
                        self.battle_counts[at][place].to_string(),
                        fraction.map(|fraction| format!("{fraction:.4}")).unwrap_or_default(),
                    ]);
                }
            }
        }
        csv_of(&["agent", "opponent", "battles", "win_fraction"], rows)
    }
}

impl DayStanding {
    pub fn to_csv(history: &[Self]) -> String {
        let rows = history.iter().map(|row| {
            vec![
                row.day.clone(),
                row.agent.clone(),
                format!("{:.1}", row.rating),
                format!("{:.1}", row.low),
                format!("{:.1}", row.high),
                row.battles.to_string(),
            ]
        });
        csv_of(&["day", "agent", "rating", "low", "high", "battles"], rows)
    }
}

fn csv_of(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail, and every row has as many fields as the head.
    let _ = writer.write_record(head);
    for row in rows {
        let _ = writer.write_record(row);
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}
