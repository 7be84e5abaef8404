import { t } from '@lingui/core/macro'
import type { SubmitEvent } from 'react'

import { AddressTable } from '../account/AddressTable.tsx'
import type { Account } from '../account/derive-account.ts'

export type CompareStepProps = {
  readonly formId: string
  readonly account: Account
  readonly isMade: boolean
  readonly onDone: () => void
}

/** Shows the first addresses, so that a wrong key is noticed before a customer pays to it. */
export function CompareStep({ formId, account, isMade, onDone }: CompareStepProps) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onDone()
  }
  return (
    <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-3">
      <p className="text-body">
        {isMade
          ? t`Type the words you wrote down into a wallet app and compare the first addresses it shows with these. If they are the same, continue. If one differs, go back and make new words: yours would not lead to the money.`
          : t`Compare these with the first addresses your own wallet shows. If one differs, go back: the money would go to someone else.`}
      </p>
      <AddressTable label={t`First addresses`} addresses={account.firstAddresses} path={account.path} />
    </form>
  )
}
