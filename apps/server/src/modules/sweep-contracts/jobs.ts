import { type Context, inTransaction } from '../../context.ts'
import { job } from '../../jobs/jobs.ts'
import { noteState } from './note-state.ts'
import { readStates } from './chain/read-chain.ts'
import { combineStates } from './rules.ts'
import { listVaultRows, lockVaultRows, type VaultRow } from './store.ts'
import { blockchainOf } from './vaults.ts'

/**
 * A proposal waits 48 hours, so minutes do not matter; reading each contract in one batch costs a free node about 300 calls a
 * day.
 */
const EVERY_SECONDS = 300

/** Asks every sweep contract for its owner and its collector. */
export const watchContractsJob = job({
  queue: 'sweep-contracts.watch',
  worker: 'account-processor',
  everySeconds: EVERY_SECONDS,
  async run(ctx: Context) {
    for (const row of await listVaultRows(ctx)) await watchContract(ctx, row)
  },
})

/** A contract that cannot be read now is read the next time; the others do not wait for it. */
async function watchContract(ctx: Context, row: VaultRow): Promise<void> {
  try {
    await refreshVault(ctx, row)
  } catch (err) {
    ctx.log.warn({ err, contract: row.address }, 'A sweep contract could not be read')
  }
}

/** Reads the present state of a sweep contract and stores it. Call it outside of transactions. @throws NODE_UNREACHABLE */
async function refreshVault(ctx: Context, row: VaultRow): Promise<void> {
  const [first, ...others] = await readStates(ctx, await blockchainOf(ctx, row), row.address)
  const state = others.reduce((one, other) => combineStates(one, other, row.collector), first)
  await inTransaction(ctx, async (tx) => {
    const [locked] = await lockVaultRows(tx, [row.id])
    if (locked) await noteState(tx, locked, state)
  })
}
