import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useCan } from '../../../api/me.ts'
import { useChangeBlockchain } from '../../../api/nodes.ts'
import { paymentsQuery } from '../../../api/payments.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { ConsequencesDialog } from '../../../ui/overlays/ConsequencesDialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

/** What is left to pay or to complete on a network. */
const WAITING = ['OPEN', 'PARTIALLY_FILLED'] as const

/** Turns a whole network off, or on again. */
export function NetworkSwitch({ blockchain: { code, name, status } }: { blockchain: Blockchain }) {
  const change = useChangeBlockchain(code)
  const [isAsking, setAsking] = useState(false)
  const waiting = useWaitingPayments(code, isAsking)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()

  const turn = async (next: 'active' | 'inactive') => {
    const found = await failureOf(() => change({ status: next }))
    if (found === undefined) toast.success(next === 'active' ? t`${name} is on` : t`${name} is off`)
    return found
  }
  const turnOn = async () => {
    setSending(true)
    setFailure(await turn('active'))
    setSending(false)
  }

  const button =
    status === 'active' ? (
      <Button onClick={() => setAsking(true)}>
        <Trans>Turn off {name}</Trans>
      </Button>
    ) : (
      <Button kind="primary" loading={isSending} onClick={() => void turnOn()}>
        <Trans>Turn on {name}</Trans>
      </Button>
    )
  const text =
    status === 'active'
      ? t`Customers can pay with it, and its blocks are read.`
      : t`It is off: customers cannot choose it, and its blocks are not read.`
  return (
    <Card title={status === 'active' ? t`${name} is on` : t`${name} is off`} actions={button}>
      <p className="text-body text-muted">{text}</p>
      {failure !== undefined && (
        <div className="mt-3">
          <Banner tone="danger">{failure}</Banner>
        </div>
      )}
      {isAsking && (
        <ConsequencesDialog
          title={t`Turn off ${name}?`}
          consequences={[
            t`Customers can no longer choose it, in any project.`,
            ...(waiting === undefined ? [] : [waitingText(waiting, name)]),
            t`Payments on their way are not seen until it is on again; reading then goes on where it stopped.`,
          ]}
          action={t`Turn off`}
          onConfirm={() => turn('inactive')}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}

/** How many payments wait for money on a network, for those who may read payments. */
function useWaitingPayments(code: string, isAsked: boolean): number | undefined {
  const mayRead = useCan()('payment:read')
  const { data } = useQuery({
    ...paymentsQuery(ALL_PROJECTS, { network: [code], paymentStatus: [...WAITING], limit: 1 }),
    enabled: mayRead && isAsked,
  })
  return data?.totalCount
}

function waitingText(count: number, name: string): string {
  if (count === 0) return t`No payment waits for money on ${name}.`
  return plural(count, {
    one: `# payment waits for money on ${name}; nobody sees it arrive while it is off.`,
    other: `# payments wait for money on ${name}; nobody sees it arrive while it is off.`,
  })
}
