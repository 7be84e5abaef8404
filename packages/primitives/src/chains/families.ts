/** A kind of chain code; the wire's `blockchain_family`. */
export type ChainFamily = 'ETH_Family' | 'BTC_Family' | 'TRX_Family' | 'SOL_Family'

export type Family = {
  readonly id: number
  readonly family: ChainFamily
  /** Shape of an address, as an anchored regular expression; a first check only, the chain's codec decides. */
  readonly addressPattern: string
  /** Deposits are consolidated by a sweep contract. */
  readonly isSweepable: boolean
}

/** The families of api.md B8; ids are stable. */
export const FAMILIES: readonly Family[] = [
  { id: 1, family: 'ETH_Family', addressPattern: '^0x[0-9a-fA-F]{40}$', isSweepable: true },
  {
    id: 2,
    family: 'BTC_Family',
    addressPattern: '^((bc|tb|bcrt)1[02-9ac-hj-np-z]{11,87}|[123mn][1-9A-HJ-NP-Za-km-z]{25,34})$',
    isSweepable: false,
  },
  { id: 3, family: 'TRX_Family', addressPattern: '^T[1-9A-HJ-NP-Za-km-z]{33}$', isSweepable: true },
  { id: 4, family: 'SOL_Family', addressPattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$', isSweepable: false },
]

/** Finds a family by its id or its name in any case ("ETH_Family"), or undefined. */
export function findFamily(idOrName: number | string): Family | undefined {
  const wanted = String(idOrName).toLowerCase()
  return FAMILIES.find(({ id, family }) => String(id) === wanted || family.toLowerCase() === wanted)
}
