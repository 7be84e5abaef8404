import { NewVault as NewVaultInput, UnlockVault as UnlockInput, VaultChange } from '@kassa/contract/vaults/schemas.ts'
import type { Vault, VaultProvider } from '@kassa/contract/vaults/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { useRequestForm } from '../../api/request-form.ts'
import { useVaultChanges } from '../../api/vaults.ts'
import { type FieldErrors, type Form } from '../../lib/forms/form.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { PasswordField } from '../../ui/fields/PasswordField.tsx'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../lib/forms/field-errors.ts'
import { opensWith } from './vault-words.ts'

/** The passphrase typed a second time. */
function repeated(passphrase: string, again: string): FieldErrors<{ again: string }> {
  return passphrase === again ? {} : { again: t`The two passphrases differ` }
}

type NewValues = { name: string; provider: VaultProvider; passphrase: string; again: string }

/** Makes a vault that opens with the server, or one that only a passphrase opens. */
export function NewVault({ serverProvider, onClose }: { serverProvider: VaultProvider; onClose: () => void }) {
  const { create } = useVaultChanges()
  const { form, failure } = useRequestForm<NewValues>(
    { name: '', provider: 'passphrase', passphrase: '', again: '' },
    (values) => ({
      ...fieldErrors(NewVaultInput, requestOf(values)),
      ...(values.provider === 'passphrase' && repeated(values.passphrase, values.again)),
    }),
    async (values) => {
      await create(requestOf(values))
      toast.success(t`Vault made`)
      onClose()
    },
  )
  return (
    <FormDialog
      title={t`New vault`}
      save={t`Make vault`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <TextField {...form.field('name')} label={t`Name`} autoComplete="off" />
      <RadioGroup
        legend={t`Opened by`}
        value={form.values.provider}
        onChange={(provider) => form.set({ provider: provider as VaultProvider })}
        options={[
          {
            value: 'passphrase',
            label: opensWith({ provider: 'passphrase' }),
            hint: t`A thief of the server’s disks can’t open it. After a start, sending waits until an operator unlocks it.`,
          },
          {
            value: serverProvider,
            label: opensWith({ provider: serverProvider }),
            hint: t`It opens by itself. Whoever has the master key can open it.`,
          },
        ]}
      />
      {form.values.provider === 'passphrase' && <PassphrasePair form={form} />}
    </FormDialog>
  )
}

function requestOf({ name, provider, passphrase }: NewValues) {
  return { name, provider, ...(provider === 'passphrase' && { passphrase }) }
}

function PassphrasePair({
  form,
}: {
  form: Form<{ passphrase: string; again: string }> | Form<NewValues> | Form<ChangeValues>
}) {
  const { field } = form as Form<{ passphrase: string; again: string }>
  return (
    <>
      <Banner tone="warning">
        <Trans>Nobody can recover a passphrase. Without it the keys in this vault are lost: write it down.</Trans>
      </Banner>
      <PasswordField
        {...field('passphrase')}
        label={t`Passphrase`}
        autoComplete="new-password"
        hint={t`At least 12 characters. Several words at random are a good one.`}
      />
      <PasswordField {...field('again')} label={t`Passphrase once more`} autoComplete="new-password" />
    </>
  )
}

/** Unlocks a vault in every process that runs. */
export function UnlockVault({ vault: { id, name }, onClose }: { vault: Vault; onClose: () => void }) {
  const { unlock } = useVaultChanges()
  const { form, failure } = useRequestForm(
    { passphrase: '' },
    (values) => fieldErrors(UnlockInput, values),
    async ({ passphrase }) => {
      await unlock(id, passphrase)
      toast.success(t`${name} is unlocked`)
      onClose()
    },
  )
  return (
    <FormDialog
      title={t`Unlock ${name}`}
      save={t`Unlock`}
      size={400}
      isSafe
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <PasswordField
        {...form.field('passphrase')}
        label={t`Passphrase`}
        autoComplete="current-password"
        hint={t`It stays unlocked until it is locked, or Kassa starts again.`}
      />
    </FormDialog>
  )
}

type ChangeValues = { currentPassphrase: string; passphrase: string; again: string }

/** Changes the passphrase of a vault, locked or not. */
export function ChangePassphrase({ vault: { id, name }, onClose }: { vault: Vault; onClose: () => void }) {
  const { change } = useVaultChanges()
  const { form, failure } = useRequestForm<ChangeValues>(
    { currentPassphrase: '', passphrase: '', again: '' },
    ({ again, ...values }) => ({ ...fieldErrors(VaultChange, values), ...repeated(values.passphrase, again) }),
    async ({ currentPassphrase, passphrase }) => {
      await change(id, { currentPassphrase, passphrase })
      toast.success(t`Passphrase changed`)
      onClose()
    },
  )
  return (
    <FormDialog
      title={t`Change the passphrase of ${name}`}
      save={t`Change passphrase`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <PasswordField
        {...form.field('currentPassphrase')}
        label={t`Current passphrase`}
        autoComplete="current-password"
      />
      <PassphrasePair form={form} />
    </FormDialog>
  )
}

/** Gives a vault another name. */
export function RenameVault({ vault, onClose }: { vault: Vault; onClose: () => void }) {
  const { change } = useVaultChanges()
  const { form, failure } = useRequestForm(
    { name: vault.name },
    (values) => fieldErrors(VaultChange, values),
    async ({ name }) => {
      await change(vault.id, { name })
      toast.success(t`Vault renamed`)
      onClose()
    },
  )
  return (
    <FormDialog
      title={t`Rename the vault`}
      save={t`Rename`}
      size={400}
      isSafe
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <TextField {...form.field('name')} label={t`Name`} autoComplete="off" />
    </FormDialog>
  )
}
