//! Plots as SVG, drawn from plain labels and numbers that any counter can fill in.
//!
//! Each is one `<svg>` with a title and a sentence for those who cannot see it, stands alone or in a page, and follows the
//! reader's light or dark. Labels never overlap: rows have a height of their own, and labels of points and lines are pushed
//! apart and led back to what they name. Every text is escaped; every number that is not finite is left out.

mod axes;
mod canvas;
mod cost;
mod curves;
mod differences;
mod ecdf;
mod forest;
mod heat_map;
mod history;
mod levels;
mod placing;
mod reliability;

pub use canvas::Unit;
pub use cost::{CostPlot, Costed, cost_against_success};
pub use differences::{Difference, DifferencePlot, differences};
pub use ecdf::{EcdfPlot, Sample, ecdf};
pub use forest::{Estimate, ForestPlot, forest, ranking};
pub use heat_map::{HeatMap, heat_map};
pub use history::{DayLine, DayValue, HistoryPlot, history};
pub use levels::{LevelPlot, Levels, levels};
pub use reliability::{Reliability, ReliabilityPlot, reliability};
