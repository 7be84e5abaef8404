import { NewDepositWallet } from '@kassa/contract/wallets/schemas.ts'
import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { useCan } from '../../../api/me.ts'
import { projectsQuery } from '../../../api/projects.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { keyToAdd, useAddAndLink } from './add-and-link.ts'
import type { Account } from '../account/derive-account.ts'
import { EVM, FAMILY_NAMES, type KeyFamily } from '../account/families.ts'
import { ProjectChoice } from '../linking/ProjectChoice.tsx'
import { projectsFor } from '../linking/project-wallets.ts'

const OTHER_ADDRESSES = msg`The wallet was added, but the server shows other addresses than this browser derived from its key. Don’t link it to any project, and have the server checked.`

export type ReviewStepProps = {
  readonly formId: string
  readonly account: Account
  readonly wallets: readonly Wallet[]
  readonly onBusy: (isBusy: boolean) => void
  readonly onAdded: (name: string) => void
}

/** The last step: asks for a name and the projects that will use the wallet, and adds it. */
export function ReviewStep({ formId, account, wallets, onBusy, onAdded }: ReviewStepProps) {
  const { data: projects = [] } = useQuery(projectsQuery)
  const can = useCan()
  const addAndLink = useAddAndLink()
  const { family } = account
  const familyWallets = wallets.filter((wallet) => wallet.family === family)
  const options = projectsFor(projects, familyWallets).filter(
    ({ id, walletId }) => walletId === undefined && can('wallet:link', id),
  )
  const [picked, setPicked] = useState<ReadonlySet<number>>()
  const chosen = picked ?? new Set(options.map(({ id }) => id))
  const [failure, setFailure] = useState<string>()

  const form = useForm({
    initial: {
      name: familyWallets.length > 0 ? '' : firstName(family),
    },
    validate: ({ name }) => fieldErrors(NewDepositWallet, { name, xpubs: [keyToAdd(account)] }),
    submit: async ({ name }) => {
      setFailure(undefined)
      try {
        const added = await addAndLink({ name: name.trim(), account, projectIds: [...chosen] })
        if (!hasSameAddresses(added, account)) return setFailure(t(OTHER_ADDRESSES))
        onAdded(added.name)
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['name'])
        setFailure(text)
        return fields
      }
    },
  })
  useEffect(() => onBusy(form.sending), [form.sending, onBusy])

  return (
    <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
      <TextField {...form.field('name')} label={t`Name`} hint={t`How you tell it from other wallets.`} />
      {options.length > 0 && <ProjectChoice options={options} chosen={chosen} onChange={setPicked} />}
      <ul className="list-disc ps-5 text-body text-muted">
        <li>
          <Trans>Each customer of these projects gets one address of this wallet, for ever.</Trans>
        </li>
        <li>
          <Trans>Projects that use another wallet keep it; change that on its card.</Trans>
        </li>
        <li>
          <Trans>Only your recovery phrase can move what arrives. This server never has it.</Trans>
        </li>
      </ul>
    </form>
  )
}

/** Whether the server derived the same addresses from the key as this browser. */
function hasSameAddresses({ walletxpubs }: Wallet, { family, firstAddresses }: Account): boolean {
  const shown = walletxpubs.find((one) => one.family === family)?.firstAddresses ?? []
  return firstAddresses.every((address, index) => shown[index] === address)
}

function firstName(family: KeyFamily): string {
  return family === EVM ? t({ message: 'Main', comment: 'name of the first deposit wallet' }) : FAMILY_NAMES[family]
}
