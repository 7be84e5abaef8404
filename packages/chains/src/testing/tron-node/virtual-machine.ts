import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, type EVM } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { Address, createAccount } from '@ethereumjs/util'
import { create2Address, CREATE2_PREFIX } from '@kassa/keys/evm/create2.ts'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { toHex } from '../../tron/encoding/hex.ts'
import type { WireInternal, WireLog } from '../../tron/encoding/wire.ts'

/** Accounts, contracts and their storage of a local chain of TRON, run by an Ethereum virtual machine. */
export type VirtualMachine = {
  /** What an account holds, in sun; null when it was never activated. */
  balance(key: Uint8Array): Promise<bigint | null>
  setBalance(key: Uint8Array, sun: bigint): Promise<void>
  hasCode(key: Uint8Array): Promise<boolean>
  /** The code that runs at an address; empty where there is none. */
  code(key: Uint8Array): Promise<Uint8Array>
  /** Creates a contract as the next one of its owner and returns its address. @throws Error when its constructor fails */
  create(owner: Uint8Array, code: Uint8Array): Promise<Uint8Array>
  /** Calls a contract, which may not use more energy than `energy`; a call that fails changes nothing. */
  call(call: ContractCall): Promise<CallOutcome>
  /** The same, and nothing is changed. */
  simulate(call: ContractCall): Promise<CallOutcome>
}

export type ContractCall = {
  readonly from: Uint8Array
  readonly to: Uint8Array
  readonly units: bigint
  readonly data: Uint8Array
  readonly energy: bigint
  readonly block: { readonly height: number; readonly minedAt: Date }
}

export type CallOutcome = {
  readonly result: 'SUCCESS' | 'REVERT' | 'OUT_OF_ENERGY'
  readonly energyUsed: bigint
  readonly returned: Uint8Array
  readonly logs: readonly WireLog[]
  readonly internal: readonly WireInternal[]
}

/** More than any contract of a test needs. */
const PLENTY_OF_ENERGY = 10n ** 9n

/** Starts an empty machine. */
export async function startVirtualMachine(): Promise<VirtualMachine> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Cancun })
  const state = new SimpleStateManager({ common })
  const evm = await createEVM({ common, stateManager: state })
  createAsTron(evm)
  const balance = async (key: Uint8Array) => (await state.getAccount(new Address(key)))?.balance ?? null
  return {
    balance,
    setBalance: async (key, sun) => {
      const account = (await state.getAccount(new Address(key))) ?? createAccount({})
      account.balance = sun
      await state.putAccount(new Address(key), account)
    },
    hasCode: async (key) => (await state.getCodeSize(new Address(key))) > 0,
    code: (key) => state.getCode(new Address(key)),
    create: async (owner, code) => {
      const { createdAddress, execResult } = await evm.runCall({
        caller: new Address(owner),
        data: code,
        gasLimit: PLENTY_OF_ENERGY,
      })
      if (execResult.exceptionError || !createdAddress) throw new Error('The contract was not created')
      return createdAddress.bytes
    },
    call: (call) => run(evm, state, call),
    simulate: async (call) => {
      await state.checkpoint()
      try {
        return await run(evm, state, call)
      } finally {
        await state.revert()
      }
    },
  }
}

type Creating = { readonly caller: Address; readonly salt?: Uint8Array; readonly code: Uint8Array }

/** CREATE2 of TVM hashes the first byte of TRON's addresses where Ethereum's has 0xff (TIP-26). */
function createAsTron(evm: EVM): void {
  const machine = evm as unknown as { _generateAddress: (message: Creating) => Promise<Address> }
  const asEthereum = machine._generateAddress.bind(evm)
  machine._generateAddress = async (message) => {
    const { caller, salt, code } = message
    if (!salt) return asEthereum(message)
    const place = { prefix: CREATE2_PREFIX.tvm, deployer: caller.bytes, salt, initHash: keccak_256(code) }
    return new Address(create2Address(place))
  }
}

async function run(evm: EVM, state: SimpleStateManager, call: ContractCall): Promise<CallOutcome> {
  // What one call has read is not cheaper for the next: else a call costs other energy when its block is replayed.
  evm.journal.cleanJournal()
  state.originalStorageCache.clear()
  const passedOn = recordValues(evm)
  await state.checkpoint()
  try {
    const { execResult } = await evm.runCall({
      caller: new Address(call.from),
      origin: new Address(call.from),
      to: new Address(call.to),
      value: call.units,
      data: call.data,
      gasLimit: call.energy,
      block: blockOf(call),
    })
    const error = execResult.exceptionError?.error
    await (error === undefined ? state.commit() : state.revert())
    const isSuccess = error === undefined
    return {
      result: isSuccess ? 'SUCCESS' : error === 'out of gas' ? 'OUT_OF_ENERGY' : 'REVERT',
      energyUsed: execResult.executionGasUsed,
      returned: execResult.returnValue,
      logs: isSuccess ? (execResult.logs ?? []).map(readLog) : [],
      internal: isSuccess ? passedOn.values() : [],
    }
  } finally {
    passedOn.stop()
  }
}

/** The machine's own events: each inner call, whatever it brings, unless it or one above it fails. */
function recordValues(evm: EVM) {
  const open: { moved: WireInternal[] }[] = [{ moved: [] }]
  const before = (message: CallMessage, resolve?: () => void) => {
    const isInner = message.depth > 0 && message.to && !message.delegatecall
    const own = isInner
      ? [{ from: toHex(message.caller.bytes), to: toHex(message.to.bytes), units: message.value, by: 'call' as const }]
      : []
    open.push({ moved: own })
    resolve?.()
  }
  const after = (result: { execResult: { exceptionError?: unknown } }, resolve?: () => void) => {
    const ended = open.pop()
    if (result.execResult.exceptionError === undefined) open.at(-1)?.moved.push(...(ended?.moved ?? []))
    resolve?.()
  }
  evm.events.on('beforeMessage', before)
  evm.events.on('afterMessage', after)
  return {
    values: () => open[0]?.moved ?? [],
    stop: () => {
      evm.events.off('beforeMessage', before)
      evm.events.off('afterMessage', after)
    },
  }
}

type CallMessage = {
  readonly depth: number
  readonly value: bigint
  readonly caller: Address
  readonly to?: Address
  readonly delegatecall?: boolean
}

function readLog([address, topics, data]: readonly [Uint8Array, readonly Uint8Array[], Uint8Array]): WireLog {
  return { address: toHex(address), topics: topics.map(toHex), data: toHex(data) }
}

function blockOf({ block: { height, minedAt } }: ContractCall) {
  const coinbase = new Address(new Uint8Array(20))
  return {
    header: {
      number: BigInt(height),
      timestamp: BigInt(Math.floor(minedAt.getTime() / 1000)),
      coinbase,
      difficulty: 0n,
      prevRandao: new Uint8Array(32),
      gasLimit: PLENTY_OF_ENERGY,
      baseFeePerGas: 0n,
      slotNumber: undefined,
      getBlobGasPrice: () => 0n,
      cliqueSigner: () => coinbase,
    },
  }
}
