import { t } from '@lingui/core/macro'
import { useState } from 'react'

import { asRequestError } from '../../api/request-error.ts'
import { useCreatePayment } from '../../api/payments.ts'
import { randomId } from '../../lib/random-id.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { Button } from '../../ui/actions/Button.tsx'
import type { SetupStep } from './setup-steps.ts'

const TEST_AMOUNT_USD = '10'

/** Enough to tell test customers apart. */
const NAME_LENGTH = 8

export type TestPaymentButtonProps = {
  readonly projectId: string
  readonly step: Pick<SetupStep, 'action' | 'isDone' | 'blockedBy'>
  readonly isNext: boolean
}

/** Makes a payment of $10 for a made-up customer and opens its story. */
export function TestPaymentButton({ projectId, step, isNext }: TestPaymentButtonProps) {
  const { action, blockedBy } = step
  const create = useCreatePayment()
  const [, setSearch] = useSearchState()
  const [name, setName] = useState(newName)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()

  const make = async () => {
    setSending(true)
    setFailure(undefined)
    try {
      const customer = { customerID: name, customerEmail: `${name}@example.com` }
      const { reference_id } = await create(projectId, {
        ...customer,
        amountInUSD: TEST_AMOUNT_USD,
        description: t`Test payment`,
      })
      setName(newName())
      setSearch({ open: reference_id })
    } catch (thrown) {
      setFailure(asRequestError(thrown).message)
    } finally {
      setSending(false)
    }
  }

  return (
    <>
      <Button
        size="small"
        kind={isNext ? 'primary' : 'secondary'}
        loading={sending}
        disabled={blockedBy !== undefined}
        {...(blockedBy !== undefined && { title: t`Not yet: ${blockedBy}` })}
        onClick={() => void make()}
      >
        {action}
      </Button>
      {failure !== undefined && (
        <p role="alert" className="w-full text-dense text-danger-text">
          {failure}
        </p>
      )}
    </>
  )
}

function newName(): string {
  return `test-${randomId().slice(0, NAME_LENGTH)}`
}
