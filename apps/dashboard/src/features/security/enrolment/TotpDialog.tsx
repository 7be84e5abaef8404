import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { asRequestError } from '../../../api/request-error.ts'
import { useFactorChanges } from '../../../api/second-factor.ts'
import { factorFailure } from '../../../labels/people/code-refusals.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { QRCode } from '../../../ui/facts/QRCode.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'

export type TotpDialogProps = {
  /** With the backup codes, when it is the first factor. */
  readonly onAdded: (backupCodes: readonly string[] | null) => void
  readonly onClose: () => void
}

/** Shows the secret of an authenticator app and takes its first code. */
export function TotpDialog({ onAdded, onClose }: TotpDialogProps) {
  const { beginTotp, confirmTotp } = useFactorChanges()
  // A secret is made for this dialog and shown nowhere else. Whatever reads the screen again must not make another one while
  // this one is scanned: an event, or the clock where the live channel is down.
  const secret = useQuery({
    queryKey: ['totp-secret'],
    queryFn: beginTotp,
    staleTime: 'static',
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => (code.trim() === '' ? { code: t`Code is required` } : {}),
    submit: async ({ code }) => {
      try {
        onAdded(await confirmTotp(code))
      } catch (thrown) {
        return { code: factorFailure(asRequestError(thrown)) }
      }
    },
  })
  const { data, error } = secret
  return (
    <FormDialog
      title={t`Add an authenticator app`}
      save={t`Confirm`}
      sending={form.sending}
      isSafe
      offReason={data === undefined ? t`The secret is being made.` : undefined}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      {error !== null && (
        <ErrorState
          title={t`The secret couldn’t be made`}
          error={asRequestError(error)}
          onRetry={() => void secret.refetch()}
        />
      )}
      {data === undefined && error === null && (
        <>
          <LoadingText />
          <Skeleton width="60%" />
        </>
      )}
      {data !== undefined && (
        <>
          <p className="text-body">
            <Trans>
              Scan this with an authenticator app, or type the secret into it. Then enter the code that it shows.
            </Trans>
          </p>
          <div className="flex flex-wrap items-center gap-4">
            <QRCode value={data.otpauthURI} label={t`the authenticator app`} />
            <div className="min-w-0 flex-1 basis-48">
              <p className="text-body font-medium">
                <Trans>Secret</Trans>
              </p>
              <code aria-label={t`Secret`} className="block font-mono text-dense break-all">
                {data.secret}
              </code>
              <CopyButton label={t`secret`} value={data.secret} withText />
            </div>
          </div>
          <TextField
            {...form.field('code')}
            label={t`Code`}
            inputMode="numeric"
            autoComplete="one-time-code"
            hint={t`6 digits, another one every 30 seconds.`}
            mono
          />
        </>
      )}
    </FormDialog>
  )
}
