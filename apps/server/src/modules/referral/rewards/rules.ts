/** A reward with an amount that is owed and not taken yet. */
export type OpenReward = { readonly id: bigint; readonly open: bigint }

/** Takes units from rewards, in their order; fewer when they hold fewer. */
export function takeInOrder(
  rewards: readonly OpenReward[],
  units: bigint,
): { readonly rewardId: bigint; readonly units: bigint }[] {
  const parts: { rewardId: bigint; units: bigint }[] = []
  let rest = units
  for (const { id, open } of rewards) {
    const taken = open < rest ? open : rest
    if (taken > 0n) parts.push({ rewardId: id, units: taken })
    rest -= taken
  }
  return parts
}
