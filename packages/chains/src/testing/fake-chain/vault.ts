/** A vault of ours and the allowances of tokens, as far as the planning, signing and sending of a sweep needs them. */
import { wordOf } from '@kassa/keys/evm/create2.ts'
import { depositKey } from '@kassa/keys/evm/deposit-contracts.ts'
import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import type { Abi } from 'viem'
import { encodeFunctionData, encodeFunctionResult } from 'viem/utils'

import { fromHex, toHex, toQuantity } from '../../evm/encoding/hex.ts'
import { decodeVaultCall } from '../../vault-contract/calls.ts'
import type { JsonCall } from '../../node/client.ts'
import type { SweepCall, VaultItem } from '../../sweep-vaults.ts'
import { createAllowances } from './allowances.ts'
import { heldBy, NodeRefusal, TOKEN_GAS } from './answers.ts'
import type { ChainView } from './block-tree.ts'
import { callOnly, type FakeTransaction, gather, type Hex, word } from './transactions.ts'

/** Its addresses as its family writes them. */
export type FakeVault = { readonly address: string; readonly owner: string; readonly collector: string }

/** The code of what accounts send to contracts: its answers and its effects. */
export type FakeContracts = {
  /** Answers a call of it; undefined where the call is of something else. @throws NodeRefusal */
  readonly answer: (view: ChainView, asked: Pick<JsonCall, 'method' | 'params'>) => unknown
  /** What a transaction does in the next block; null where it calls nothing of it. */
  readonly effect: (view: ChainView, tx: Sent) => FakeTransaction | null
}

type Sent = { readonly txId: string; readonly from: Hex; readonly to: string; readonly data: string }

/** First four bytes of the hashes of `allowance`, `approve` and `transferFrom` (ERC-20), with their arguments. */
const ALLOWANCE = /^0xdd62ed3e0{24}([0-9a-f]{40})0{24}([0-9a-f]{40})$/i
const APPROVE = /^0x095ea7b30{24}([0-9a-f]{40})([0-9a-f]{64})$/i
const TRANSFER_FROM = /^0x23b872dd0{24}([0-9a-f]{40})0{24}[0-9a-f]{40}([0-9a-f]{64})$/i

/** What a sweep uses by itself and for each address, more than any of the real contracts. */
const SWEEP_GAS = 40_000n
const ITEM_GAS = 80_000n

/** Widened: the views are read one like the other. */
const ABI: Abi = kassaVault.abi
const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

/** Makes the contracts of a chain on which one vault stands. */
export function createContracts(vault: FakeVault): FakeContracts {
  const here = vault.address.toLowerCase()
  const allowances = createAllowances()
  const views = viewsOf(vault)
  const mayLeave = (view: ChainView, token: Hex | null, { id, units }: VaultItem, kind: SweepCall['kind']): boolean => {
    const owner = ownerOf(kind, vault.address, id)
    const isAllowed =
      kind !== 'pullToken' || allowances.left(view, { token: token ?? '', owner, spender: here }) >= units
    return isAllowed && heldBy(view, token, owner) >= units
  }

  const answerToken = (view: ChainView, method: string, { from, to, data }: Asked): unknown => {
    const token = to.toLowerCase()
    const [, owner, spender] = ALLOWANCE.exec(data) ?? []
    if (owner && spender) return uint(allowances.left(view, { token, owner: hex(owner), spender: hex(spender) }))
    const [, holder, units] = TRANSFER_FROM.exec(data) ?? []
    if (holder && units) {
      const wanted = BigInt(`0x${units}`)
      const left = allowances.left(view, { token, owner: hex(holder), spender: from.toLowerCase() })
      if (left < wanted || heldBy(view, token, hex(holder)) < wanted) throw new NodeRefusal(3, 'execution reverted')
    } else if (!APPROVE.test(data)) return undefined
    return method === 'eth_call' ? uint(1n) : toQuantity(TOKEN_GAS)
  }

  return {
    answer: (view, { method, params }) => {
      if (method !== 'eth_call' && method !== 'eth_estimateGas') return undefined
      const { from = ZERO_ADDRESS, to = ZERO_ADDRESS, data = '0x' } = params[0] as Partial<Asked>
      if (to.toLowerCase() !== here) return answerToken(view, method, { from, to, data })
      const shown = views.get(data)
      if (shown !== undefined) return shown
      const call = sweepIn(data)
      if (!call) throw new NodeRefusal(3, 'execution reverted')
      return method === 'eth_call' ? '0x' : toQuantity(gasOf(call))
    },
    effect: (view, { txId, from, to, data }) => {
      const contract = to.toLowerCase()
      const [, spender, units] = APPROVE.exec(data) ?? []
      if (spender && units) {
        allowances.note(txId, { token: contract, owner: from, spender: hex(spender), units: BigInt(`0x${units}`) })
        return { ...callOnly({ name: txId, from, to: contract }), hash: txId, gasUsed: TOKEN_GAS }
      }
      const call = contract === here ? sweepIn(data) : null
      if (!call) return null
      const token = 'token' in call ? call.token.toLowerCase() : null
      const parts = call.items
        .filter((item) => mayLeave(view, token, item, call.kind))
        .map(({ id, units: own }) => ({ from: ownerOf(call.kind, vault.address, id), units: own }))
      const made = gather({ name: txId, from, contract, token, to: vault.collector.toLowerCase(), parts })
      return { ...made, hash: txId, gasUsed: gasOf(call) }
    },
  }
}

type Asked = { readonly from: string; readonly to: string; readonly data: string }

/** What a vault says of itself, by the call that asks; addresses in hex. */
export function viewsOf({ owner, collector }: Pick<FakeVault, 'owner' | 'collector'>): ReadonlyMap<string, Hex> {
  const said = {
    ...{ owner, collector, pendingCollector: ZERO_ADDRESS, collectorReadyAt: 0n },
    ...{ pendingOwner: ZERO_ADDRESS, ownerReadyAt: 0n, frozen: false },
  }
  return new Map(
    Object.entries(said).map(([functionName, result]) => [
      encodeFunctionData({ abi: ABI, functionName }),
      encodeFunctionResult({ abi: ABI, functionName, result }),
    ]),
  )
}

function sweepIn(data: string): SweepCall | null {
  const call = decodeVaultCall(data)
  return call && 'items' in call ? call : null
}

/** What a sweep uses. */
export function gasOf({ items }: SweepCall): bigint {
  return SWEEP_GAS + ITEM_GAS * BigInt(items.length)
}

/** In lower case: the deposit contract of an item, or the account that its id is. */
function ownerOf(kind: SweepCall['kind'], vault: string, id: bigint): Hex {
  const isContract = kind === 'sweepToken' || kind === 'sweepNative'
  return toHex(isContract ? depositKey(fromHex(vault), id) : wordOf(id).subarray(12))
}

function hex(digits: string): Hex {
  return `0x${digits.toLowerCase()}`
}

function uint(value: bigint): Hex {
  return word(toQuantity(value))
}
