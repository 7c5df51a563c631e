//! Messages of any provider or agent: who wrote them, and what is in them.
