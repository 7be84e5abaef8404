/** A vault of ours on TRON, as far as whoever plans, signs and sends a sweep of its deposit contracts asks for it. */
import { CREATE2_PREFIX } from '@kassa/keys/evm/create2.ts'
import { depositKey } from '@kassa/keys/evm/deposit-contracts.ts'

import type { SweepCall } from '../../../sweep-vaults.ts'
import { addressKey, addressText } from '../../../tron/addresses/addresses.ts'
import { toHex } from '../../../tron/encoding/hex.ts'
import { abiAddress, decodeCall } from '../../../tron/vaults/calls.ts'
import type { ChainView } from '../block-tree.ts'
import type { FakeTransaction } from '../transactions.ts'
import { type FakeVault, gasOf, viewsOf } from '../vault.ts'
import { heldOnTron } from './balances.ts'
import { transferLog } from './transactions.ts'

/** What a call of a contract does, and the energy that it uses. */
export type Ran = Pick<FakeTransaction, 'logs' | 'calls' | 'moves'> & { readonly energy: bigint }

/** The contracts of a chain besides its tokens; addresses are TRON's. */
export type TronContracts = {
  /** Answers a call that is run and not sent: the hex of what it returns and its energy; undefined where it is of something else. */
  readonly answer: (
    contract: string,
    data: string,
  ) => { readonly returned: string; readonly energy: bigint } | undefined
  /** What a call does in the next block; null where it calls nothing of it. */
  readonly effect: (view: ChainView, contract: string, data: Uint8Array) => Ran | null
}

const VIEW_ENERGY = 1_000n

/** Makes the contracts of a chain of TRON on which one vault stands. */
export function createTronContracts(vault: FakeVault): TronContracts {
  const views = viewsOf({ owner: abiAddress(vault.owner), collector: abiAddress(vault.collector) })
  return {
    answer: (contract, data) => {
      if (contract !== vault.address) return undefined
      const shown = views.get(`0x${data}`)
      if (shown !== undefined) return { returned: shown.slice(2), energy: VIEW_ENERGY }
      const call = sweepIn(data)
      return call ? { returned: '', energy: gasOf(call) } : undefined
    },
    effect: (view, contract, data) => {
      const call = contract === vault.address ? sweepIn(toHex(data)) : null
      return call && gathered(view, vault, call)
    },
  }
}

/** Only what deposit contracts hold is moved here: nobody gives allowances. */
function sweepIn(data: string): SweepCall | null {
  const call = decodeCall(`0x${data}`)
  return call?.kind === 'sweepToken' || call?.kind === 'sweepNative' ? call : null
}

/** Each address that holds what is asked of it sends it to the collector; the others are left out. */
function gathered(view: ChainView, { address, collector }: FakeVault, call: SweepCall): Ran {
  const token = 'token' in call ? call.token : null
  const parts = call.items
    .map(({ id, units }) => ({ from: addressText(depositKey(addressKey(address), id, CREATE2_PREFIX.tvm)), units }))
    .filter(({ from, units }) => heldOnTron(view, token, from) >= units)
  const to = collector
  const bare = toHex(addressKey(to))
  const made = {
    energy: gasOf(call),
    moves: parts.map((part, at) => ({ ...part, leg: legOf(token, bare, at), token, to })),
  }
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
