/**
 * A PSBT of 500 inputs: built by the server, signed as a wallet in JavaScript does, and compared when it comes back; each beside
 * the cryptography alone that it cannot do without.
 */
import { bitcoinAdapter } from '@kassa/chains/bitcoin/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { accountNamed, signPsbt } from '@kassa/chains/testing/offline-signer.ts'
import { btc } from '@kassa/primitives/chains/definitions/btc.ts'

import type { Figure, Measurement } from '../harness/figure.ts'

const INPUTS = 500

export const psbt: Measurement = { name: 'psbt', run }

async function run(): Promise<readonly Figure[]> {
  const { deposits, psbts } = bitcoinAdapter
  const chain = chainIn('sandbox', btc)
  const account = accountNamed('bench')
  const source = deposits.check(account.publicExtendedKey, 'sandbox')
  const inputs = Array.from({ length: INPUTS }, (_, index) => ({
    ...{ txId: index.toString(16).padStart(64, '0'), vout: 0, units: 100_000n, index },
  }))
  const plan = { source, inputs, to: deposits.derive(chain, source, INPUTS), fee: 40_000n }
  const branch = account.deriveChild(0)
  const keys = inputs.map(({ index }) => branch.deriveChild(index))
  const keyAt = (index: number) => keys[index]?.privateKey ?? new Uint8Array()
  // The first of each warms up.
  await psbts.build(chain, plan)
  const built = await timed(() => psbts.build(chain, plan))
  const derived = await timed(() => inputs.map(({ index }) => deposits.derive(chain, source, index)))
  const signed = await timed(() => signPsbt(built.result.psbt, keyAt))
  const digest = Buffer.alloc(32, 1)
  const signatures = await timed(() => keys.map((key) => key.sign(digest)))
  const checked = await timed(() => psbts.check(chain, plan, signed.result))
  const verified = await timed(() => keys.map((key, at) => key.verify(digest, signatures.result[at] ?? digest)))
  if (checked.result.kind !== 'signed') throw new Error('The batch came back as another one')
  return [
    figure('built', built.ms, { name: 'its addresses derived', value: derived.ms }),
    figure('signed by a wallet', signed.ms, { name: 'its signatures alone', value: signatures.ms }),
    figure('compared and finalized', checked.ms, { name: 'its signatures verified', value: verified.ms }),
  ]
}

function figure(name: string, value: number, limit: Figure['limit']): Figure {
  return { name: `PSBT of ${INPUTS} inputs ${name}`, value, unit: 'ms', limit }
}

async function timed<Result>(
  work: () => Result | Promise<Result>,
): Promise<{ readonly ms: number; readonly result: Result }> {
  const from = performance.now()
  const result = await work()
  return { ms: performance.now() - from, result }
}
