//! Sharing out work.

/// The shard of each item, from 1: the longest first, each to the shard that has least so far. Ties go to the
/// item that comes first and to the lowest shard, and times are compared in whole microseconds, so that
/// everybody comes to the same result. The fullest shard is at most a third longer than it would have to be.
pub fn longest_first(seconds: &[f64], of: u32) -> Vec<u32> {
    let micros: Vec<u128> = seconds.iter().map(|&s| whole_micros(s)).collect();
    let mut order: Vec<usize> = (0..micros.len()).collect();
    order.sort_by_key(|&item| (std::cmp::Reverse(micros.get(item).copied()), item));
    let mut loads: std::collections::BinaryHeap<std::cmp::Reverse<(u128, u32)>> = (1..=of.max(1))
        .map(|shard| std::cmp::Reverse((0, shard)))
        .collect();
    let mut shards = vec![1; micros.len()];
    for item in order {
        let Some(std::cmp::Reverse((load, shard))) = loads.pop() else {
            break;
        };
        if let (Some(place), Some(length)) = (shards.get_mut(item), micros.get(item)) {
            *place = shard;
            loads.push(std::cmp::Reverse((load + length, shard)));
        }
    }
    shards
}

/// Casts of floats saturate, so that even absurd estimates stay in range.
fn whole_micros(seconds: f64) -> u128 {
    u128::from((seconds.max(0.0) * 1e6).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn loads(seconds: &[f64], of: u32) -> Vec<f64> {
        let mut loads = vec![0.0; of as usize];
        for (shard, seconds) in longest_first(seconds, of).into_iter().zip(seconds) {
            loads[shard as usize - 1] += seconds;
        }
        loads
    }

    #[test]
    fn the_long_one_stands_alone() {
        assert_eq!(longest_first(&[1.0, 5.0, 1.0, 2.0], 2), [2, 1, 2, 2]);
        assert_eq!(longest_first(&[1.0, 1.0, 1.0], 2), [1, 2, 1]);
        assert_eq!(longest_first(&[1.0], 3), [1]);
        assert_eq!(longest_first(&[], 3), [] as [u32; 0]);
        assert_eq!(longest_first(&[f64::NAN, f64::INFINITY], 2), [2, 1]);
    }

    proptest! {
        #[test]
        fn no_shard_waits_long_for_another(
            seconds in proptest::collection::vec(0.0..1e4f64, 0..60),
            of in 1u32..9,
        ) {
            let loads = loads(&seconds, of);
            let (most, total) = (loads.iter().copied().fold(0.0, f64::max), seconds.iter().sum::<f64>());
            let longest = seconds.iter().copied().fold(0.0, f64::max);
            let ideal = (total / f64::from(of)).max(longest);
            // Graham's bound for the longest first.
            prop_assert!(most <= ideal * (4.0 / 3.0) * (1.0 + 1e-9) + longest * 1e-9 + 1e-3
                || seconds.len() as u32 <= 2 * of + 1, "{loads:?}");
            prop_assert!(most <= total / f64::from(of) + longest + 1e-3, "{loads:?}");
        }

        #[test]
        fn a_shard_without_work_means_that_no_other_has_two(
            seconds in proptest::collection::vec(0.1..1e4f64, 0..12),
            of in 1u32..20,
        ) {
            let shards = longest_first(&seconds, of);
            let mut counts = vec![0; of as usize];
            for shard in shards {
                counts[shard as usize - 1] += 1;
            }
            prop_assert!(!counts.contains(&0) || counts.iter().all(|&count| count <= 1));
        }
    }
}
