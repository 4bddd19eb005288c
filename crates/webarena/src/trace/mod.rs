//! Recorded network traffic of an attempt: HAR, Playwright traces, our own journals.
