import { Inbox } from 'lucide-react'

import { Banner } from '../ui/feedback/Banner.tsx'
import { Button } from '../ui/actions/Button.tsx'
import { EmptyState } from '../ui/places/EmptyState.tsx'
import { ErrorState } from '../ui/places/ErrorState.tsx'
import { PartLoadFailed } from '../ui/overlays/LoadFailed.tsx'
import { LoadingText, Skeleton } from '../ui/feedback/Skeleton.tsx'
import { Spinner } from '../ui/feedback/Spinner.tsx'
import { Stepper } from '../ui/feedback/Stepper.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { Tooltip } from '../ui/feedback/Tooltip.tsx'
import type { Tone } from '../ui/feedback/tones.ts'
import { nothing } from './specimen.ts'
import type { Part } from './specimen.ts'

const BANNERS: Readonly<Record<Tone, string>> = {
  neutral: 'No mail server is set.',
  info: 'A newer version is there.',
  progress: 'Base is catching up: 14 blocks behind.',
  success: 'The mail server took a mail of ours.',
  warning: 'You’re offline. What you see may be old.',
  danger: 'Deposits on Base stand still.',
}

export const FEEDBACK: readonly Part[] = [
  {
    name: 'Banner',
    specimens: (Object.keys(BANNERS) as Tone[]).map((tone) => ({
      state: tone,
      shown: (
        <Banner tone={tone} action={tone === 'danger' ? <Button size="small">See why</Button> : undefined}>
          {BANNERS[tone]}
        </Banner>
      ),
    })),
  },
  { name: 'LoadFailed', specimens: [{ state: 'a part of a page', shown: <PartLoadFailed /> }] },
  {
    name: 'Toaster',
    specimens: [
      {
        state: 'success, for five seconds',
        shown: <Button onClick={() => toast.success('Payment link Copied!')}>Say it went well</Button>,
      },
      {
        state: 'error',
        shown: <Button onClick={() => toast.error('Failed to copy payment link')}>Say it failed</Button>,
      },
    ],
  },
  {
    name: 'EmptyState',
    specimens: [
      {
        state: 'with a way on',
        shown: (
          <EmptyState
            icon={<Inbox aria-hidden />}
            title="No payments yet"
            text="Create a link and send it to a customer."
            action={<Button kind="primary">Create payment link</Button>}
            second={<Button>Make a test payment</Button>}
          />
        ),
      },
    ],
  },
  {
    name: 'ErrorState',
    specimens: [
      {
        state: 'everything that is known',
        shown: (
          <ErrorState
            title="Payments couldn’t be loaded"
            error={{ message: 'The server is busy.', code: 'UNAVAILABLE', requestId: 'a1b2c3' }}
            onRetry={nothing}
          />
        ),
      },
    ],
  },
  {
    name: 'Skeleton',
    specimens: [
      {
        state: 'a line and a disc',
        shown: (
          <div className="flex items-center gap-3">
            <LoadingText text="Loading payments" />
            <Skeleton width={32} height={32} round />
            <Skeleton width={160} />
          </div>
        ),
      },
    ],
  },
  { name: 'Spinner', specimens: [{ state: 'turning', shown: <Spinner /> }] },
  {
    name: 'Stepper',
    specimens: [
      {
        state: 'second of three',
        shown: <Stepper label="New payout" steps={['Amount', 'Recipient', 'Review']} current={1} />,
      },
    ],
  },
  {
    name: 'Tooltip',
    specimens: [
      {
        state: 'on hover and on focus',
        shown: (
          <Tooltip text="Local and UTC time">
            <Button>Rest here</Button>
          </Tooltip>
        ),
      },
    ],
  },
]
