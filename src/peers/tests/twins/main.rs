//! Each agent's detection beside a detector that is slow and obviously right. A failure prints the events
//! that led to it, and its seed.

mod peers;

use turnkeeper_peers::{PeerDetector, PeerOptions};

fn detector(options: &str) -> PeerDetector {
    let options = PeerOptions::from_json(options).expect("valid options");
    PeerDetector::new(options).expect("valid options")
}
