/** A vault of ours on TRON and the allowances of tokens, as far as the planning, signing and sending of a sweep needs them. */
import { CREATE2_PREFIX, wordOf } from '@kassa/keys/evm/create2.ts'
import { depositKey } from '@kassa/keys/evm/deposit-contracts.ts'

import type { SweepCall, VaultItem } from '../../../sweep-vaults.ts'
import { addressKey, addressText } from '../../../tron/addresses/addresses.ts'
import { fromHex, toHex } from '../../../tron/encoding/hex.ts'
import { abiAddress, decodeCall } from '../../../tron/vaults/calls.ts'
import { createAllowances } from '../allowances.ts'
import type { ChainView } from '../block-tree.ts'
import type { FakeTransaction } from '../transactions.ts'
import { type FakeVault, gasOf, viewsOf } from '../vault.ts'
import { heldOnTron } from './balances.ts'
import { transferLog, word } from './transactions.ts'

/** What a call of a contract does, and the energy that it uses. */
export type Ran = Pick<FakeTransaction, 'logs' | 'calls' | 'moves'> & { readonly energy: bigint }

/** What a call returns that is run and not sent, in hex; or that the contract undoes it. */
type Shown = { readonly returned: string; readonly energy: bigint } | { readonly isUndone: true }

/** A call of a contract by an account; addresses are TRON's. */
type Call = { readonly from: string; readonly contract: string; readonly data: string }

/** The contracts of a chain besides the transfers of its tokens. */
export type TronContracts = {
  /** Answers a call that is run and not sent; undefined where it is of something else. */
  readonly answer: (view: ChainView, call: Call) => Shown | undefined
  /** What a call does in the next block; null where it calls nothing of it. */
  readonly effect: (view: ChainView, call: Call & { readonly txId: string }) => Ran | null
}

const VIEW_ENERGY = 1_000n

/** Energy of an approval of USDT (money.md 6.10). */
const APPROVAL_ENERGY = 22_000n

/** `allowance`, `approve` and `transferFrom` of TRC-20 with their arguments. */
const ALLOWANCE = /^dd62ed3e0{24}([0-9a-f]{40})0{24}([0-9a-f]{40})$/
const APPROVE = /^095ea7b30{24}([0-9a-f]{40})([0-9a-f]{64})$/
const TRANSFER_FROM = /^23b872dd0{24}([0-9a-f]{40})0{24}[0-9a-f]{40}([0-9a-f]{64})$/

/** Makes the contracts of a chain of TRON on which one vault stands. */
export function createTronContracts(vault: FakeVault): TronContracts {
  const views = viewsOf({ owner: abiAddress(vault.owner), collector: abiAddress(vault.collector) })
  const allowances = createAllowances()

  const mayLeave = (view: ChainView, token: string | null, { from, units }: Part, isPulled: boolean): boolean => {
    const isAllowed =
      !isPulled || allowances.left(view, { token: token ?? '', owner: from, spender: vault.address }) >= units
    return isAllowed && heldOnTron(view, token, from) >= units
  }

  const answerToken = (view: ChainView, { from: spender, contract: token, data }: Call): Shown | undefined => {
    const [, owner, asked] = ALLOWANCE.exec(data) ?? []
    if (owner !== undefined && asked !== undefined) {
      const left = allowances.left(view, { token, owner: textOf(owner), spender: textOf(asked) })
      return { returned: word(left.toString(16)), energy: VIEW_ENERGY }
    }
    const [, holder, units] = TRANSFER_FROM.exec(data) ?? []
    if (holder !== undefined && units !== undefined) {
      const part = { from: textOf(holder), units: BigInt(`0x${units}`) }
      const isSpent = spender === vault.address && mayLeave(view, token, part, true)
      return isSpent ? { returned: word('1'), energy: APPROVAL_ENERGY } : { isUndone: true }
    }
    return APPROVE.test(data) ? { returned: word('1'), energy: APPROVAL_ENERGY } : undefined
  }

  return {
    answer: (view, call) => {
      if (call.contract !== vault.address) return answerToken(view, call)
      const shown = views.get(`0x${call.data}`)
      if (shown !== undefined) return { returned: shown.slice(2), energy: VIEW_ENERGY }
      const sweep = sweepIn(call.data)
      return sweep ? { returned: '', energy: gasOf(sweep) } : undefined
    },
    effect: (view, { txId, from, contract, data }) => {
      const [, spender, units] = APPROVE.exec(data) ?? []
      if (spender !== undefined && units !== undefined) {
        const said = { owner: from, spender: textOf(spender), units: BigInt(`0x${units}`) }
        allowances.note(txId, { token: contract, ...said })
        return { energy: APPROVAL_ENERGY, logs: [], calls: [], moves: [] }
      }
      const sweep = contract === vault.address ? sweepIn(data) : null
      if (!sweep) return null
      const token = 'token' in sweep ? sweep.token : null
      const parts = sweep.items
        .map((item) => partOf(sweep.kind, vault.address, item))
        .filter((part) => mayLeave(view, token, part, sweep.kind === 'pullToken'))
      return gathered({ token, to: vault.collector, parts, energy: gasOf(sweep) })
    },
  }
}

function sweepIn(data: string): SweepCall | null {
  const call = decodeCall(`0x${data}`)
  return call && 'items' in call ? call : null
}

type Part = { readonly from: string; readonly units: bigint }

/** The deposit contract of an item, or the account that its id is. */
function partOf(kind: SweepCall['kind'], vault: string, { id, units }: VaultItem): Part {
  const isContract = kind === 'sweepToken' || kind === 'sweepNative'
  const key = isContract ? depositKey(addressKey(vault), id, CREATE2_PREFIX.tvm) : wordOf(id).subarray(12)
  return { from: addressText(key), units }
}

type Gathering = {
  readonly token: string | null
  readonly to: string
  readonly parts: readonly Part[]
  readonly energy: bigint
}

/** Each address that holds what is asked of it sends it to the collector; the others are left out. */
function gathered({ token, to, parts, energy }: Gathering): Ran {
  const bare = toHex(addressKey(to))
  const made = { energy, moves: parts.map((part, at) => ({ ...part, leg: legOf(token, bare, at), token, to })) }
  if (token !== null) {
    return { ...made, calls: [], logs: parts.map((part) => transferLog({ name: '', token, to, ...part })) }
  }
  const calls = parts.map(({ from, units }) => {
    return { type: 'CALL' as const, from: `41${toHex(addressKey(from))}`, to: `41${bare}`, value: units }
  })
  return { ...made, calls, logs: [] }
}

function legOf(token: string | null, receiver: string, at: number): string {
  return token === null ? `internal:${receiver}:${at}` : `log:${at}`
}

/** The address of a hexadecimal one without its prefix. */
function textOf(bare: string): string {
  return addressText(fromHex(bare))
}
