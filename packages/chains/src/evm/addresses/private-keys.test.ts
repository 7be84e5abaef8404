import { chainIn } from '@kassa/chains/chain.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'

import { InvalidInput } from '../../errors.ts'
import { evmPrivateKeys } from './private-keys.ts'

const definition = findBlockchain('ETH')
if (!definition) throw new Error('ETH is defined')
const chain = chainIn('sandbox', definition)

const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'

describe('evm: private keys', () => {
  it('derives the address that another library derives, of imported and of new keys', () => {
    for (let round = 0; round < 20; round += 1) {
      const hex = Buffer.from(evmPrivateKeys.generate()).toString('hex')
      const key = evmPrivateKeys.parse(round % 2 === 0 ? `0x${hex.toUpperCase()}` : ` ${hex}\n`)
      expect(evmPrivateKeys.address(chain, key)).toBe(privateKeyToAddress(`0x${hex}`))
    }
  })

  it('takes the largest key and refuses what is none, without repeating it', () => {
    const largest = ORDER.replace(/1$/, '0')
    expect(evmPrivateKeys.address(chain, evmPrivateKeys.parse(largest))).toBe(privateKeyToAddress(`0x${largest}`))
    const phrase = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
    for (const text of ['', '0x', '00'.repeat(32), ORDER, 'ff'.repeat(32), 'zz'.repeat(32), 'ab'.repeat(33), phrase]) {
      const read = () => evmPrivateKeys.parse(text)
      expect(read).toThrow(InvalidInput)
      if (text.length > 2) expect(read).not.toThrow(text)
    }
  })
})
