//! The detector for JavaScript, in the shape of the loop detector's own.

#![cfg(target_family = "wasm")]

#[macro_use]
#[path = "../../loop-detector/wasm/raw_detector.rs"]
mod raw_detector;

raw_detector! {
    /// The detector that the class `LoopDetector` of `turnkeeper/peers` wraps.
    RawPeerDetector(turnkeeper_peers::PeerOptions)
}
