const WEI_OF_A_MICRO_COIN = 10n ** 12n

/** Prints wei as coins with six decimals at most, rounded up: enough to compare a fee with a balance. */
export function coinAmount(wei: bigint): string {
  const micro = (wei + WEI_OF_A_MICRO_COIN - 1n) / WEI_OF_A_MICRO_COIN
  const fraction = (micro % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '')
  return `${micro / 1_000_000n}${fraction === '' ? '' : `.${fraction}`}`
}
