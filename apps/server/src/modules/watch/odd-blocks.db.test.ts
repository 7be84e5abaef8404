import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { type EvmLab, openEvmLab } from '@kassa/chains/testing/evm-lab.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestContext, testContext } from '../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../testing/customer-address.ts'
import { adapterOf, findBlockchain, openChain, seedBlockchains, setSandboxNode } from '../blockchains/service.ts'
import { knownAddresses } from './known-addresses.ts'
import { retryOddBlocks } from './odd-blocks.ts'
import { findCursor, raiseEpoch } from './store.ts'
import { type Progress, takeTurn, type Watch } from './turn.ts'

const ETH = 1
let test: TestContext
let lab: EvmLab
let node: Server
let address: CustomerAddress
/** Receipts of this block arrive broken. */
let brokenBlock = ''

beforeAll(async () => {
  ;[test, lab] = await Promise.all([testContext(), openEvmLab()])
  node = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString()
      const isBroken = brokenBlock !== '' && body.includes('eth_getBlockReceipts') && body.includes(brokenBlock)
      const answer = await fetch(lab.node.label, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
      const text = await answer.text()
      response.setHeader('content-type', 'application/json')
      response.end(isBroken ? text.replaceAll('"logs":[', '"logs":["odd",') : text)
    })()
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', `http://127.0.0.1:${(node.address() as AddressInfo).port}`)
  address = await customerAddress(test.ctx)
}, 60_000)
afterAll(async () => {
  node.close()
  node.closeAllConnections()
  await lab.stop()
  await test.stop()
})

const found = async () =>
  (await sql<{ status: string; units: string }>`SELECT status, units FROM deposits ORDER BY id`.execute(test.ctx.db))
    .rows
const odd = async () =>
  (
    await sql<{
      state: string
      tries: number
      error: string
    }>`SELECT state, tries, error FROM quarantined_blocks`.execute(test.ctx.db)
  ).rows

describe('watch and a block that does not decode (2.7)', () => {
  it('puts it aside after five tries, goes on for everybody else, and credits it once it can be read', async () => {
    const row = await findBlockchain(test.ctx, 'ETH')
    const chain = await openChain(test.ctx, ETH)
    const adapter = adapterOf('ETH_Family')
    if (!row || !chain || !adapter) throw new Error('The chain cannot be opened')
    const known = knownAddresses('ETH_Family')
    const watch: Watch = { ctx: test.ctx, row, reader: adapter.reader, known, assets: new Set([1, 7]), holder: 'test' }
    const progress: Progress = { cursor: await raiseEpoch(test.ctx, ETH, 'test'), span: 25, failedReads: 0 }
    const catchUp = async () => {
      while ((await takeTurn(watch, chain, progress)).kind === 'busy');
    }
    const pay = (units: bigint) => lab.transfer(SANDBOX_TOKENS.usdc, address.address as Hex, units)
    await catchUp()

    await pay(5_000_000n)
    const block = (await lab.call('eth_getBlockByNumber', 'latest', false)) as { hash: string }
    brokenBlock = block.hash
    await pay(6_000_000n)
    for (let tries = 0; tries < 5; tries += 1) await expect(catchUp()).rejects.toThrow(/log/)
    expect(await found()).toEqual([])
    await catchUp()
    expect(await found()).toEqual([{ status: 'seen', units: '6000000' }])
    expect(await odd()).toMatchObject([{ state: 'open', tries: 1, error: expect.stringContaining('log') }])
    expect((await findCursor(test.ctx, ETH))?.height).toBe(await lab.height())

    const cursor = progress.cursor
    if (!cursor) throw new Error('There is no cursor')
    const retry = { reader: adapter.reader, want: { assets: watch.assets, matches: known.filter.has }, familyId: 1 }
    await retryOddBlocks(test.ctx, chain, cursor, { ...retry, all: true })
    expect(await odd()).toMatchObject([{ state: 'open', tries: 2 }])
    brokenBlock = ''
    await retryOddBlocks(test.ctx, chain, cursor, { ...retry, all: false })
    expect(await found()).toHaveLength(1)
    await retryOddBlocks(test.ctx, chain, cursor, { ...retry, all: true })
    expect(await odd()).toMatchObject([{ state: 'solved' }])
    expect(await found()).toEqual([
      { status: 'seen', units: '6000000' },
      { status: 'unapplied', units: '5000000' },
    ])
  })
})
