import { ChangeRecipient, NewRecipient, type Recipient } from '@kassa/contract/recipients/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { blockchainsQuery } from '../../api/blockchains.ts'
import { formFailure } from '../../api/form-failure.ts'
import { useCan } from '../../api/me.ts'
import { projectsQuery } from '../../api/projects.ts'
import { useRecipientChanges } from '../../api/recipients.ts'
import { networkName } from '../../labels/networks/network-name.ts'
import { fieldErrors } from '../../lib/forms/field-errors.ts'
import { type Form, useForm } from '../../lib/forms/form.ts'
import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { Address } from '../../ui/facts/Address.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'

/** Who is paid, whatever the address. */
type Facts = { name: string; email: string; mobileNumber: string; residentialAddress: string; projectIDs: number[] }

type NewValues = Facts & { blockchainCode: string; address: string }

const FACTS = ['name', 'email', 'mobileNumber', 'residentialAddress', 'projectIDs'] as const

/** An address that another screen wants saved. */
export type NamedAddress = { readonly blockchainCode: string; readonly address: string }

export type AddRecipientProps = {
  /** The project on screen, or `all`. */
  readonly projectId: string
  /** What a screen before filled in. */
  readonly named?: NamedAddress | undefined
  readonly onVerify: (recipient: Recipient) => void
  readonly onClose: () => void
}

/** Saves an address; an operator without a second factor types a code afterwards. */
export function AddRecipientDialog({ projectId, named, onVerify, onClose }: AddRecipientProps) {
  const { create } = useRecipientChanges()
  const { data: blockchains = [] } = useQuery(blockchainsQuery)
  const networks = blockchains.filter(({ status }) => status === 'active')
  const first = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string>()
  const own = projectId === ALL_PROJECTS ? [] : [Number(projectId)]
  const initial: NewValues = {
    ...{ name: '', email: '', mobileNumber: '', residentialAddress: '', projectIDs: own },
    ...(named ?? { blockchainCode: '', address: '' }),
  }
  const chosen = (values: NewValues) => ({
    ...values,
    blockchainCode: values.blockchainCode || (networks[0]?.code ?? ''),
  })
  const form = useForm<NewValues>({
    initial,
    validate: (values) => fieldErrors(NewRecipient, chosen(values)),
    submit: async (values) => {
      setFailure(undefined)
      try {
        const { recipient, otpSent } = await create(chosen(values))
        if (otpSent) return onVerify(recipient)
        toast.success(recipient.status === 'active' ? t`Recipient saved` : t`Recipient saved; it waits for its code`)
        onClose()
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, [...FACTS, 'blockchainCode', 'address'])
        setFailure(text)
        return fields
      }
    },
  })
  const { values, errors, set } = form
  return (
    <FormDialog
      title={t`Add recipient`}
      save={t`Add recipient`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
      initialFocus={first}
    >
      <TextField {...form.field('name')} ref={first} label={t`Name`} autoComplete="off" />
      <TextField {...form.field('email')} type="email" label={t`E-mail`} autoComplete="off" />
      <Select
        label={t`Network`}
        name="blockchainCode"
        value={chosen(values).blockchainCode}
        options={networks.map(({ code, name }) => ({ value: code, label: name }))}
        error={errors.blockchainCode}
        isRequired
        onChange={(blockchainCode) => set({ blockchainCode })}
      />
      <TextField
        {...form.field('address')}
        label={t`Address`}
        autoComplete="off"
        mono
        hint={t`Paste it whole. Address and network never change afterwards.`}
      />
      <ProjectBoxes form={form} />
      <FurtherFacts form={form} />
    </FormDialog>
  )
}

/** Changes what is known of a recipient; its address stays. */
export function EditRecipientDialog({ recipient, onClose }: { recipient: Recipient; onClose: () => void }) {
  const { change } = useRecipientChanges()
  const [failure, setFailure] = useState<string>()
  const form = useForm<Facts>({
    initial: {
      name: recipient.name,
      email: recipient.email,
      mobileNumber: recipient.mobileNumber ?? '',
      residentialAddress: recipient.residentialAddress ?? '',
      projectIDs: recipient.projectIDs,
    },
    validate: (values) => fieldErrors(ChangeRecipient, values),
    submit: async (values) => {
      setFailure(undefined)
      try {
        await change(recipient.id, values)
        toast.success(t`Recipient saved`)
        onClose()
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, FACTS)
        setFailure(text)
        return fields
      }
    },
  })
  const { name } = recipient
  const network = networkName(recipient.blockchainCode)
  return (
    <FormDialog
      title={t`Edit ${name}`}
      save={t`Save changes`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <div className="flex flex-col gap-1 text-body">
        <span className="font-medium">
          <Trans>Address on {network}</Trans>
        </span>
        <Address value={recipient.address} full />
        <span className="text-dense text-muted">
          <Trans>It never changes. Add a new entry instead.</Trans>
        </span>
      </div>
      <TextField {...form.field('name')} label={t`Name`} />
      <TextField {...form.field('email')} type="email" label={t`E-mail`} />
      <ProjectBoxes form={form} />
      <FurtherFacts form={form} />
    </FormDialog>
  )
}

function FurtherFacts<Values extends Facts>({ form }: { form: Form<Values> }) {
  const { field } = form as unknown as Form<Facts>
  return (
    <>
      <TextField
        {...field('mobileNumber')}
        type="tel"
        label={t`Mobile number`}
        autoComplete="off"
        hint={t`Optional, with the country code.`}
      />
      <TextField
        {...field('residentialAddress')}
        label={t`Residential address`}
        autoComplete="off"
        hint={t`Optional.`}
      />
    </>
  )
}

/** The projects that may pay the recipient. */
function ProjectBoxes<Values extends Facts>({ form }: { form: Form<Values> }) {
  const { values, errors, set } = form as unknown as Form<Facts>
  const can = useCan()
  const { data: projects = [] } = useQuery(projectsQuery)
  const options = projects.filter(({ id }) => can('recipient:write', id) || values.projectIDs.includes(id))
  const tick = (id: number, isChosen: boolean) =>
    set({ projectIDs: isChosen ? [...values.projectIDs, id] : values.projectIDs.filter((one) => one !== id) })
  return (
    <fieldset aria-describedby={errors.projectIDs === undefined ? undefined : 'recipient-projects-error'}>
      <legend className="mb-1 text-body font-medium">
        <Trans>Projects</Trans>
      </legend>
      {options.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={values.projectIDs.includes(id)}
          onChange={(isChosen) => tick(id, isChosen)}
        />
      ))}
      {errors.projectIDs !== undefined && (
        <p id="recipient-projects-error" role="alert" className="mt-1 text-dense text-danger-text">
          {errors.projectIDs}
        </p>
      )}
    </fieldset>
  )
}
