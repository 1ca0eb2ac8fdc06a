//! JSON text to events.
