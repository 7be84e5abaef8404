import { transferCoin } from '@kassa/keys/solana/movement.ts'
import { solana } from '@kassa/primitives/chains/definitions/solana.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainIn, sessionAlone } from '../chain.ts'
import { connect } from '../node/client.ts'
import type { Fetch } from '../node/transport.ts'
import { solanaAdapter } from '../solana/adapter.ts'
import { openLocalSolana } from '../testing/solana-node/chain.ts'
import { serveLocalSolana } from '../testing/solana-node/rpc-node.ts'
import { signTransaction } from '../testing/solana-node/transactions.ts'
import { testPayer } from '../testing/solana-chain.ts'
import { probe } from './probe.ts'
import { packSample, recordingFetch, replayingFetch, unpackSample } from './samples.ts'

const chain = chainIn('sandbox', solana)
const [payer, other] = [testPayer('payer'), testPayer('other')]
let node: Awaited<ReturnType<typeof serveLocalSolana>>

beforeAll(async () => {
  const local = openLocalSolana({ payer: payer.address })
  local.send(signTransaction(payer, local.head().hash, [transferCoin(payer.address, other.address, 10n ** 9n)]))
  node = await serveLocalSolana(local)
})
afterAll(() => node.stop())

const probing = (url: string, fetch: Fetch) =>
  probe(solanaAdapter, sessionAlone(chain, connect({ id: 1, url, fetch })), 12)

describe('probe', () => {
  it('holds what a node says against the rules, and the same again from its sample', async () => {
    const { fetch, sample } = recordingFetch(node.url)
    const findings = await probing(node.url, fetch)
    expect(findings.filter(({ holds }) => !holds)).toEqual([])
    expect(findings.find(({ rule }) => rule === 'blocks')?.says).toMatch(/\d+ blocks from \d+ on, [1-9]\d* transfers/)
    const stored = unpackSample(packSample(sample))
    // Nothing of the sample names the node or the keys in its URL.
    const elsewhere = 'http://other.example/v2/key?token=secret'
    const again = await probing(elsewhere, replayingFetch(elsewhere, stored))
    expect(again.map(({ rule, holds }) => [rule, holds])).toEqual(findings.map(({ rule, holds }) => [rule, holds]))
  })

  it.each([
    ['identity', 'getGenesisHash', /"result":"\w{9}/, '"result":"111111111'],
    ['blocks', 'getBlock', /"previousBlockhash":"\w+"/, `"previousBlockhash":"${chain.network.genesisHash}"`],
    ['tokens', 'getMultipleAccounts', /"value":\[\{/, '"value":[null,{'],
  ])('says that %s is broken', async (rule, method, what, lie) => {
    const { fetch } = recordingFetch(node.url)
    const lying: Fetch = async (url, init) => {
      const text = await (await fetch(url, init)).text()
      return new Response(
        init.body?.includes(`"${method}"`) === true ? text.replaceAll(new RegExp(what, 'g'), lie) : text,
      )
    }
    const findings = await probing(node.url, lying)
    expect(findings.find((one) => one.rule === rule)).toMatchObject({ holds: false })
  })
})
