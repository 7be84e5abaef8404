import { accountOf, checksumAddress } from '@kassa/keys/address-text.ts'
import { wordOf } from '@kassa/keys/evm/create2.ts'
import { authorityOf, signAuthorization } from '@kassa/keys/evm/authorization.ts'
import { openSeed, readPhrase } from './seed.ts'

/** The phrase of every local test chain and the keys it leads to: BIP-39, BIP-32 and BIP-44 in one test. */
const PHRASE = 'test test test test test test test test test test test junk'
const ADDRESSES = {
  "m/44'/60'/0'/0/0": '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  "m/44'/60'/0'/0/9": '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
} as const

/**
 * Computes known answers before anything is signed: a manipulated browser, or a broken build, must not make a seed.
 * @throws Error that names the wrong result
 */
export function selfTest(): void {
  const phrase = readPhrase(PHRASE)
  if (phrase === null || readPhrase(`${PHRASE} junk`) !== null) throw new Error('Self-test failed: recovery phrase')
  const seed = openSeed(phrase)
  for (const [path, expected] of Object.entries(ADDRESSES)) {
    const found = seed.withKey(path, (_, publicKey) => checksumAddress(accountOf(publicKey)))
    if (found !== expected) throw new Error(`Self-test failed: ${path} led to ${found}`)
  }
  const key = wordOf(1n)
  const signed = signAuthorization({ chainId: 1n, address: ADDRESSES["m/44'/60'/0'/0/0"], nonce: 0n }, key)
  if (authorityOf(signed) !== '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf')
    throw new Error('Self-test failed: signature')
  const random = new Set(Array.from({ length: 4 }, () => crypto.getRandomValues(new Uint8Array(32)).join()))
  if (random.size < 4) throw new Error('Self-test failed: this system has no randomness')
}
