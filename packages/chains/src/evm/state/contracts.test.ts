import { encodeAbiParameters, stringToHex } from 'viem'
import { describe, expect, it } from 'vitest'

import { sessionAlone } from '../../chain.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { chainOf } from '../../testing/anvil-chain.ts'
import { fakeNode } from '../../testing/fake-node.ts'
import { readClaim } from './contracts.ts'

const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const SYMBOL = '0x95d89b41'

const text = (symbol: string) => encodeAbiParameters([{ type: 'string' }], [symbol])
const number = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])

/** Asks a contract that answers so; an error is what the node says instead. */
function claim(symbol: string | Error, decimals: string | Error = number(18n)) {
  const node = fakeNode({
    eth_call: ({ data }: { data: string }) => {
      const answer = data === SYMBOL ? symbol : decimals
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  return { node, claimed: readClaim(sessionAlone(chainOf('ETH', 'mainnet'), node), DAI) }
}

const refused = new NodeRejected('execution reverted', 3)

describe('evm.readClaim', () => {
  it('reads a symbol and decimals, with little gas', async () => {
    const { node, claimed } = claim(text('DAI'))
    expect(await claimed).toEqual({ symbol: 'DAI', decimals: 18 })
    expect(node.asked.map(({ params }) => params)).toMatchObject([
      [{ to: DAI, gas: '0x186a0' }, 'latest'],
      [{ to: DAI, gas: '0x186a0' }, 'latest'],
    ])
  })

  it('reads the 32 bytes of the first tokens', async () => {
    expect(await claim(stringToHex('MKR', { size: 32 })).claimed).toMatchObject({ symbol: 'MKR' })
  })

  it.each([
    ['refuses the call', refused],
    ['answers nothing', '0x'],
    ['answers half a word', `0x${'11'.repeat(16)}`],
    ['names a longer text than it answers', `${number(32n)}${number(2n ** 255n).slice(2)}`],
    ['answers more than anybody reads', text('x'.repeat(1_000))],
  ])('says nothing of a contract that %s', async (_, answer) => {
    expect((await claim(answer, answer instanceof Error ? answer : number(300n)).claimed).symbol).toBeNull()
  })

  it('believes no decimals beyond a byte', async () => {
    expect((await claim(text('DAI'), number(256n)).claimed).decimals).toBeNull()
    expect((await claim(text('DAI'), '0x').claimed).decimals).toBeNull()
  })

  it('lets a node be asked again that did not answer', async () => {
    const lost = new RetryableRpcError('timeout', 'no answer')
    await expect(claim(lost).claimed).rejects.toThrow('no answer')
    await expect(claim(text('DAI'), lost).claimed).rejects.toThrow('no answer')
  })
})
