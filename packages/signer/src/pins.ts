/**
 * What a person has entered once from their own records: the vault and the collector of each network. A job is compared with
 * these pins and never changes them.
 */
import { checksumAddress } from '@kassa/keys/address-text.ts'
import { bytesOf } from '@kassa/keys/evm/permission.ts'
import { readTronText } from '@kassa/keys/tron/address.ts'

export type Pin = {
  readonly chainId: number
  readonly vault: string
  readonly collector: string
  /** The most that the fee of one transaction may be, in wei; on TRON in sun. */
  readonly mostFee: string
}

/** The pins of a seed, stored with its fingerprint. */
export type Pins = { readonly fingerprint: string; readonly chains: readonly Pin[] }

/** 0.02 of the native coin, and 15 TRX: more than an approval costs in a busy hour, and too little to hurt. */
const USUAL_MOST_FEE = { hex: '20000000000000000', tron: '15000000' } as const

/** The default limit of what a transaction may cost, on the network of a vault. */
export function usualMostFee(vault: string): string {
  return isTron(vault) ? USUAL_MOST_FEE.tron : USUAL_MOST_FEE.hex
}

function isTron(address: string): boolean {
  return address.startsWith('T')
}

/** Reads an address that a person entered; null when it is invalid or its checksum is wrong (EIP-55; on TRON Base58Check). */
export function readAddress(text: string): string | null {
  const trimmed = text.trim()
  if (isTron(trimmed)) return readTronText(trimmed) && trimmed
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

/**
 * Adds the pin of a network. @throws Error when it is pinned to something else already, or its addresses are of different
 * networks
 */
export function addPin(pins: Pins, pin: Pin): Pins {
  if (isTron(pin.vault) !== isTron(pin.collector)) throw new Error('Vault and collector are of one network.')
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
