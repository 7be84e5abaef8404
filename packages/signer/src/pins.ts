/**
 * What a person entered once, with their own eyes on their own records: the vault and the collector of each network. A job is
 * compared with it and never changes it.
 */
import { checksumAddress } from '@kassa/keys/address-text.ts'
import { bytesOf } from '@kassa/keys/evm/permission.ts'

export type Pin = {
  readonly chainId: number
  readonly vault: string
  readonly collector: string
  /** The most that the fee of one transaction may be, in wei. */
  readonly mostFee: string
}

/** Kept with the fingerprint of the seed that they are for. */
export type Pins = { readonly fingerprint: string; readonly chains: readonly Pin[] }

/** 0.02 of the native coin: more than an approval costs in a busy hour, and no loss that matters. */
export const USUAL_MOST_FEE = '20000000000000000'

/** Reads an address as a person enters it; null when it is none, or its checksum is wrong (EIP-55). */
export function readAddress(text: string): string | null {
  const trimmed = text.trim()
  const bytes = bytesOf(trimmed)
  if (bytes?.length !== 20) return null
  const address = checksumAddress(bytes)
  const hasCase = /[a-f]/.test(trimmed.slice(2)) && /[A-F]/.test(trimmed.slice(2))
  return !hasCase || address === trimmed ? address : null
}

/** Reads stored pins of a seed; none when they are damaged or of another seed. */
export function readPins(text: string | null, fingerprint: string): Pins {
  const none = { fingerprint, chains: [] }
  if (text === null) return none
  try {
    const json = JSON.parse(text) as Partial<Pins> | null
    if (json?.fingerprint !== fingerprint || !Array.isArray(json.chains)) return none
    return { fingerprint, chains: json.chains.map(readPin) }
  } catch {
    return none
  }
}

/** Adds the pin of a network. @throws Error when it is pinned to something else already */
export function addPin(pins: Pins, pin: Pin): Pins {
  const known = pins.chains.find(({ chainId }) => chainId === pin.chainId)
  if (known && (known.vault !== pin.vault || known.collector !== pin.collector)) {
    throw new Error(
      `Network ${pin.chainId} is pinned to vault ${known.vault} and collector ${known.collector} already.`,
    )
  }
  return { ...pins, chains: [...pins.chains.filter(({ chainId }) => chainId !== pin.chainId), pin] }
}

function readPin({ chainId, vault, collector, mostFee }: Pin): Pin {
  const places = { vault: readAddress(vault), collector: readAddress(collector) }
  if (!Number.isSafeInteger(chainId) || !places.vault || !places.collector) throw new Error('A pin is damaged')
  return { chainId, vault: places.vault, collector: places.collector, mostFee: String(BigInt(mostFee)) }
}
