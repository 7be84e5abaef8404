import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { SlidersHorizontal } from 'lucide-react'
import { Suspense, useState } from 'react'

import { useCan } from '../../api/me.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Tabs } from '../../ui/actions/Tabs.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { lazyLayer, lazyPart } from '../../ui/overlays/lazy-load.ts'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { Funds } from './funds/Funds.tsx'

const History = lazyPart(async () => ({ default: (await import('./history/History.tsx')).History }))
const Thresholds = lazyLayer(async () => ({ default: (await import('./thresholds/Thresholds.tsx')).Thresholds }))

/** Brings deposits home to the cold wallet, and shows what was brought. */
export function Sweeps({ projectId }: { projectId: string }) {
  const mayTune = useCan()('blockchain:write')
  const [isTuning, setTuning] = useState(false)
  return (
    <>
      <PageHead
        title={t`Funds Consolidation`}
        text={t`Moves final deposits to your cold wallet, and says why anything stays behind.`}
        actions={
          mayTune && (
            <Button icon={<SlidersHorizontal aria-hidden strokeWidth={1.75} />} onClick={() => setTuning(true)}>
              <Trans>Automatic sweeping</Trans>
            </Button>
          )
        }
      />
      <Tabs
        label={t`Views`}
        clears={['cursor', 'open', 'panel', 'approve', 'batch', 'step', 'sign']}
        tabs={[
          { id: 'Funds', label: t`Funds` },
          { id: 'History', label: t`History` },
        ]}
      >
        {(tab) =>
          tab === 'History' ? (
            <Suspense fallback={<Skeleton height={320} />}>
              <History projectId={projectId} />
            </Suspense>
          ) : (
            <Funds projectId={projectId} />
          )
        }
      </Tabs>
      <Suspense>{isTuning && <Thresholds onClose={() => setTuning(false)} />}</Suspense>
    </>
  )
}
