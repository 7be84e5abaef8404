/** What rewards are owed in (api.md B13): the units of account of migration 0056, which count 1 : 1 with the US dollar. */
const CURRENCIES = [
  { unitId: 1_000_001, code: 'USD', name: 'US dollar' },
  { unitId: 1_000_002, code: 'USDC', name: 'USD Coin' },
  { unitId: 1_000_003, code: 'USDT', name: 'Tether USD' },
] as const

export type RewardCurrency = (typeof CURRENCIES)[number]

/** Every currency of rewards, US dollars first. */
export const REWARD_CURRENCIES: readonly RewardCurrency[] = CURRENCIES

/** Finds a currency by its code, or by the number of its unit. */
export function findRewardCurrency(codeOrUnit: string | number): RewardCurrency | undefined {
  return CURRENCIES.find(({ unitId, code }) => unitId === codeOrUnit || code === codeOrUnit)
}

/** The code of a unit of account of the programme. */
export function currencyOf(unitId: number): string {
  const currency = findRewardCurrency(unitId)
  if (!currency) throw new Error(`Nobody is rewarded in unit ${unitId}`)
  return currency.code
}
