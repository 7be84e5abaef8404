import { SiteAddressChange } from '@kassa/contract/settings/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { useSaveSiteAddress } from '../../../api/site-settings.ts'
import { formFailure } from '../../../api/form-failure.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

export type SiteAddressDialogProps = {
  readonly siteUrl: string | null
  readonly backendUrl: string | null
  readonly onClose: () => void
}

/** Says where this server is reached; links that are made from then on use it. */
export function SiteAddressDialog({ siteUrl, backendUrl, onClose }: SiteAddressDialogProps) {
  const save = useSaveSiteAddress()
  const [failure, setFailure] = useState<string>()
  const form = useForm({
    initial: { siteUrl: siteUrl ?? '', backendUrl: backendUrl === siteUrl ? '' : (backendUrl ?? '') },
    validate: (values) => fieldErrors(SiteAddressChange, values),
    submit: async (values) => {
      setFailure(undefined)
      try {
        await save(values)
        toast.success(t`URL saved`)
        onClose()
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, Object.keys(values))
        setFailure(text)
        return fields
      }
    },
  })
  const { origin: here } = window.location
  const isElsewhere = originOf(form.values.siteUrl) !== here
  return (
    <FormDialog
      title={t`Change URL`}
      save={t`Save URL`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <ul className="flex list-disc flex-col gap-1 ps-5 text-body">
        <li>
          <Trans>
            Payment links, mails and pages made from now on name it. Links that are out go on working where they lead.
          </Trans>
        </li>
        <li>
          <Trans>
            Operators are answered under this name, under an allowed origin, and under a plain IP address only.
          </Trans>
        </li>
      </ul>
      {isElsewhere && (
        <Banner tone="warning">
          <Trans>You are at {here}. Make sure that the new URL leads here before you save it.</Trans>
        </Banner>
      )}
      <TextField
        {...form.field('siteUrl')}
        label={t`Public URL`}
        type="url"
        mono
        placeholder="https://pay.example.com"
        hint={t`Scheme, name and port; no path.`}
      />
      <TextField
        {...form.field('backendUrl')}
        label={t`API URL`}
        type="url"
        mono
        hint={t`Only where programs reach the API elsewhere. Empty: the public URL.`}
      />
    </FormDialog>
  )
}

function originOf(text: string): string | undefined {
  return URL.parse(text)?.origin
}
