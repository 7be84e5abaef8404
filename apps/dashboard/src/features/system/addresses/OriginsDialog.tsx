import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { useSaveAllowedOrigins } from '../../../api/site-settings.ts'
import { formFailure } from '../../../api/form-failure.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { listText } from '../../../lib/text/list-text.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { originsIn, wrongOrigin } from './origins.ts'

export type OriginsDialogProps = {
  readonly origins: readonly string[]
  /** The address of this server, which always may call. */
  readonly site: string | null
  readonly onClose: () => void
}

function changedSince(origins: readonly string[]): string {
  if (origins.length === 0) return t`Another operator emptied the list meanwhile. Save again to replace it.`
  const list = listText(origins)
  return t`Another operator changed the list meanwhile to ${list}. Save again to replace it.`
}

/** Names the further pages that may call the API from a browser. */
export function OriginsDialog({ origins, site, onClose }: OriginsDialogProps) {
  const save = useSaveAllowedOrigins()
  const [failure, setFailure] = useState<string>()
  const form = useForm({
    initial: { value: origins.join('\n') },
    validate: ({ value }) => {
      const wrong = wrongOrigin(value)
      return wrong === undefined ? {} : { value: t`${wrong} is not an origin such as https://shop.example.com` }
    },
    submit: async ({ value }) => {
      setFailure(undefined)
      try {
        const others = await save(originsIn(value), origins)
        if (others !== undefined) return setFailure(changedSince(others))
        toast.success(t`Allowed origins saved`)
        onClose()
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['value'])
        setFailure(text)
        return fields
      }
    },
  })
  const { origin: here } = window.location
  const isLeftOut = here !== site && origins.includes(here) && !originsIn(form.values.value).includes(here)
  return (
    <FormDialog
      title={t`Change allowed origins`}
      save={t`Save origins`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <ul className="flex list-disc flex-col gap-1 ps-5 text-body">
        <li>
          <Trans>
            Whoever controls a page there can act as an operator who signs in on it. Name only pages of your own.
          </Trans>
        </li>
        <li>
          <Trans>A page that is taken off the list can no longer call the API from its next call on.</Trans>
        </li>
      </ul>
      {isLeftOut && (
        <Banner tone="warning">
          <Trans>You are at {here}, which this list leaves out: this page would stop working.</Trans>
        </Banner>
      )}
      <TextArea {...form.field('value')} label={t`Origins`} rows={4} mono hint={t`One a line. Empty: none.`} />
    </FormDialog>
  )
}
