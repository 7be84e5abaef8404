import { BITCOIN_PREFIXES } from '@kassa/keys/bitcoin-accounts.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import type { Address, AddressCodec, AddressKey, Chain } from '../../adapter.ts'
import { InvalidInput } from '../../errors.ts'
import { addressOfScript, scriptOfAddress } from './scripts.ts'

/** Bech32 may be written in capitals (BIP-173): wallets do so in QR codes. */
const CAPITALS = /^(?:BC|TB|BCRT)1[0-9A-Z]+$/

/** Longest text that is an address: a SegWit program of 40 bytes. */
const LONGEST = 90

/**
 * Addresses of Bitcoin: bech32 and bech32m for SegWit, Base58Check for older ones. The key of an address is the output script
 * it stands for, because blocks contain scripts, however an address is spelled.
 */
export const bitcoinAddresses: AddressCodec = {
  parse(chain, text) {
    if (keyOf(chain, text) && !CAPITALS.test(text)) return text
    throw new InvalidInput('ADDRESS_INVALID', reasonOf(chain, text))
  },
  format(chain, key) {
    const address = addressOfScript(BITCOIN_PREFIXES[chain.mode], key)
    if (address === null) throw new RangeError('No address stands for this script')
    return address
  },
  key(chain, address) {
    const key = keyOf(chain, address)
    if (!key) throw new RangeError('This is no address of this network')
    return key
  },
  normalize(chain, text) {
    const trimmed = text.trim()
    const address = CAPITALS.test(trimmed) ? trimmed.toLowerCase() : trimmed
    if (keyOf(chain, address)) return address
    throw new InvalidInput('ADDRESS_INVALID', reasonOf(chain, address))
  },
}

function keyOf({ mode }: Chain, text: string): AddressKey | null {
  return text.length > LONGEST ? null : scriptOfAddress(BITCOIN_PREFIXES[mode], text)
}

function reasonOf({ mode }: Chain, text: Address): string {
  const elsewhere =
    text.length > LONGEST ? undefined : otherModes(mode).find((one) => scriptOfAddress(BITCOIN_PREFIXES[one], text))
  if (elsewhere === 'mainnet') return 'This address is of Bitcoin’s main network; this server speaks to another'
  if (elsewhere) return 'This address is of a test network of Bitcoin'
  if (CAPITALS.test(text)) return 'Write the address in lower case'
  if (/^[a-z]+1/i.test(text)) return 'The checksum is wrong: copy the address again'
  return `An address here starts with ${BITCOIN_PREFIXES[mode].segwit}1, and an old one with ${mode === 'mainnet' ? '1 or 3' : 'm, n or 2'}`
}

function otherModes(mode: NetworkMode): NetworkMode[] {
  return (Object.keys(BITCOIN_PREFIXES) as NetworkMode[]).filter((one) => one !== mode)
}
