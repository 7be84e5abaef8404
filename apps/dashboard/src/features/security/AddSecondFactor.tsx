import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { meQuery } from '../../api/me.ts'
import { asRequestError } from '../../api/request-error.ts'
import { ownFactorsQuery } from '../../api/second-factor.ts'
import { hasPasskeys } from '../../lib/device/passkeys.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { useEnrolment } from './enrolment/useEnrolment.tsx'

/** Offers a second factor after a sign-in; where the install asks for one, there is no way around it but out. */
export function AddSecondFactor({ onDone }: { onDone: () => void }) {
  const { data: me, error, refetch } = useQuery(meQuery)
  const { data: own } = useQuery(ownFactorsQuery)
  const { open, dialog } = useEnrolment()
  const isRequired = me?.secondFactor.setupRequired === true
  const isEnrolled = own?.enrolled === true
  return (
    <div className="mx-auto mt-[min(12dvh,7rem)] mb-auto w-full max-w-[400px]">
      <h1 tabIndex={-1} className="text-h1 font-semibold">
        <Trans>Add a second factor</Trans>
      </h1>
      <p className="mt-2 text-body text-muted">
        {isRequired
          ? t`This install asks for one: until there is a second factor nothing else is open.`
          : t`A stolen password alone then opens nothing.`}
      </p>
      <div className="mt-6 flex flex-col gap-3">
        {me === undefined && error === null && <Skeleton width="80%" />}
        {me === undefined && error !== null && (
          <ErrorState
            title={t`Your account couldn’t be loaded`}
            error={asRequestError(error)}
            onRetry={() => void refetch()}
          />
        )}
        {me !== undefined && (
          <>
            {hasPasskeys() && (
              <Button size="large" wide kind={isEnrolled ? 'secondary' : 'primary'} onClick={() => open('passkey')}>
                <Trans>Add passkey</Trans>
              </Button>
            )}
            {own?.totp !== true && (
              <Button size="large" wide onClick={() => open('totp')}>
                <Trans>Add authenticator app</Trans>
              </Button>
            )}
            {isEnrolled && (
              <Button size="large" wide kind="primary" onClick={onDone}>
                <Trans>Continue</Trans>
              </Button>
            )}
            {!isEnrolled && isRequired && (
              <LinkButton href={paths.signOut()}>
                <Trans>Sign out</Trans>
              </LinkButton>
            )}
            {!isEnrolled && !isRequired && (
              <Button size="large" wide onClick={onDone}>
                <Trans>Not now</Trans>
              </Button>
            )}
          </>
        )}
      </div>
      {dialog}
    </div>
  )
}
