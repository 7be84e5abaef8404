import { transferCoin } from '@kassa/keys/solana/movement.ts'
import { solana } from '@kassa/primitives/chains/definitions/solana.ts'
import { SANDBOX_SOLANA_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Address, ChainSession } from '../adapter.ts'
import { chainIn, sessionAlone } from '../chain.ts'
import { NodeRejected } from '../errors.ts'
import type { NodeCall, NodeClient } from '../node/client.ts'
import type { FakePayment, FamilyChain } from './conformance.ts'
import { openLocalSolana, Refused } from './solana-node/chain.ts'
import { answererOf } from './solana-node/rpc-node.ts'
import { openTokenAccount, payerOf, signTransaction, transferToken } from './solana-node/transactions.ts'

const [NATIVE, TOKEN] = [6, 10]
const DECIMALS = 6

/** What an account must hold to exist, and some to spend. */
const STIPEND = 10n ** 9n

/** Somebody on the test chain, by name. */
export function testPayer(name: string) {
  return payerOf(sha256(utf8ToBytes(`kassa test ${name}`)))
}

/** Opens a local chain of Solana for the conformance suite: real programs run behind its node. */
export function openSolanaConformanceChain(): FamilyChain {
  const people = ['payer', 'ours', 'ours too', 'bystander'].map(testPayer)
  const [payer, first, second, bystander] = people as [Person, Person, Person, Person]
  const local = openLocalSolana({ payer: payer.address })
  const answer = answererOf(local)
  const chain = chainIn('sandbox', solana)
  const mint = SANDBOX_SOLANA_TOKENS.usdc
  let memo = 0n

  const send = (from: Person, instructions: Parameters<typeof signTransaction>[2]) =>
    signTransaction(from, local.head().hash, instructions)
  // Everybody has an account for the token and coins for fees before the suite begins.
  for (const one of [first, second, bystander]) {
    local.send(send(payer, [transferCoin(payer.address, one.address, STIPEND)]))
    local.send(
      send(payer, [
        openTokenAccount(payer.address, one.address, mint),
        transferToken(mint, { from: payer.address, to: one.address, units: 1_000n, decimals: DECIMALS }),
      ]),
    )
  }
  const bytesOf = ({ assetId, from, to, units, isFailing }: FakePayment): Uint8Array => {
    const person = people.find(({ address }) => address === from)
    if (!person) throw new Error('Nobody of the suite has this address')
    memo += 1n
    // Each transaction is another one: what a person sends himself tells them apart and moves nothing.
    const apart = transferCoin(from, from, memo)
    const move =
      assetId === NATIVE ? transferCoin(from, to, units) : transferToken(mint, { from, to, units, decimals: DECIMALS })
    const failing = transferToken(mint, { from, to, units: 10n ** 18n, decimals: DECIMALS })
    return send(person, isFailing === true ? [apart, move, failing] : [apart, move])
  }
  const node = (isElsewhere: boolean): NodeClient => {
    const call = async (one: NodeCall): Promise<unknown> => {
      if (one.rpc !== 'json') throw new NodeRejected('HTTP 404', 404)
      if (isElsewhere && one.method === 'getGenesisHash') return solana.networks.mainnet.genesisHash
      try {
        return structuredClone(answer(one.method, one.params))
      } catch (error) {
        throw error instanceof Refused ? new NodeRejected(error.message, error.code) : error
      }
    }
    return { id: 1, label: 'local', call, batch: (calls) => Promise.allSettled(calls.map((one) => call(one))) }
  }
  const session = (isElsewhere = false): ChainSession => sessionAlone(chain, node(isElsewhere))
  return {
    session: session(),
    elsewhere: session(true),
    ours: [first.address, second.address],
    payer: payer.address,
    bystander: bystander.address,
    assets: { native: NATIVE, token: TOKEN },
    netsOut: true,
    spellings: [first.address, ` ${first.address}\n`],
    noAddresses: [
      '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
      `${first.address}x`,
      'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
      '',
    ],
    mine(payments) {
      if (payments.length > 0) return local.send(...payments.map(bytesOf))
      local.mine(1)
      return []
    },
    reorganize: (depth) => local.reorganize(depth),
    height: () => local.head().slot,
  }
}

type Person = { readonly address: Address; readonly seed: Uint8Array }
