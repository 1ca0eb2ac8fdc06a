//! Reference-counted values in pooled memory, with a cycle collector.
