import type { OfflineBatch } from '@kassa/contract/sweeps/offline-schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'

import { waitingBatchesQuery } from '../../../api/offline-sweeps.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { Card } from '../../../ui/places/Card.tsx'
import { TimeRemaining } from '../../../ui/time/TimeRemaining.tsx'

const SignDrawer = lazyLayer(async () => ({ default: (await import('./SignDrawer.tsx')).SignDrawer }))

/** The batches that wait for a device with the keys of a wallet; nothing where there are none. */
export function WaitingBatches({ projectId, maySweep }: { projectId: string; maySweep: boolean }) {
  const [search, setSearch] = useSearchState()
  const { data } = useQuery(waitingBatchesQuery(projectId))
  const waiting = data?.sweepTransactionInfo ?? []
  const open = search.sign === undefined ? undefined : Number(search.sign)
  if (waiting.length === 0 && open === undefined) return null
  return (
    <>
      {waiting.length > 0 && (
        <Card
          title={plural(data?.totalCount ?? 0, {
            one: 'Sign # batch on your device',
            other: 'Sign # batches on your device',
          })}
          text={t`The server has no key of these coins. A paired device shows them by itself; any wallet with the seed can sign them too.`}
        >
          <ul aria-label={t`Batches to sign`} className="-my-2 divide-y divide-border">
            {waiting.map((batch) => (
              <Waiting
                key={batch.id}
                batch={batch}
                onSign={maySweep ? () => setSearch({ sign: String(batch.id) }) : undefined}
              />
            ))}
          </ul>
        </Card>
      )}
      <Suspense>
        {open !== undefined && (
          <SignDrawer key={open} id={open} maySweep={maySweep} onClose={() => setSearch({ sign: undefined })} />
        )}
      </Suspense>
    </>
  )
}

function Waiting({ batch, onSign }: { batch: OfflineBatch; onSign: (() => void) | undefined }) {
  const { blockchainCode, numberOfUTXOs, total, destination, expiresAt } = batch
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <span className="flex min-w-0 flex-col gap-1">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <Amount value={total} currency={blockchainCode} />
          <span className="text-muted">
            {plural(numberOfUTXOs, { one: '# coin', other: '# coins' })} · {networkName(blockchainCode)}
          </span>
        </span>
        <span className="flex flex-wrap items-center gap-x-2 text-dense text-muted">
          <Trans>to</Trans> <Address value={destination} withCopy={false} />
          {expiresAt !== null && (
            <Trans>
              Time left: <TimeRemaining until={expiresAt} />
            </Trans>
          )}
        </span>
      </span>
      {onSign && (
        <Button size="small" onClick={onSign}>
          <Trans>Sign</Trans>
        </Button>
      )}
    </li>
  )
}
