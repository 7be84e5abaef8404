import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { useCan } from '../../api/me.ts'
import { asRequestError } from '../../api/request-error.ts'
import { ownFactorsQuery } from '../../api/second-factor.ts'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Card } from '../../ui/places/Card.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { AuthenticatorApp } from './cards/AuthenticatorApp.tsx'
import { BackupCodes } from './cards/BackupCodes.tsx'
import { FactorPolicy } from './cards/FactorPolicy.tsx'
import { Passkeys } from './cards/Passkeys.tsx'
import { useEnrolment } from './enrolment/useEnrolment.tsx'

/** What protects the account beside the password: passkeys, an authenticator app, backup codes; and the rule for everybody. */
export function SecondFactors() {
  const { data: own, error, refetch } = useQuery(ownFactorsQuery)
  const { open, dialog } = useEnrolment()
  const can = useCan()
  if (own === undefined) {
    return (
      <Card title={t`Second factor`}>
        {error === null ? (
          <>
            <LoadingText />
            <Skeleton width="60%" />
          </>
        ) : (
          <ErrorState
            title={t`Your second factors couldn’t be loaded`}
            error={asRequestError(error)}
            onRetry={() => void refetch()}
          />
        )}
      </Card>
    )
  }
  return (
    <>
      <Passkeys own={own} onAdd={() => open('passkey')} />
      <AuthenticatorApp own={own} onAdd={() => open('totp')} />
      {own.enrolled && <BackupCodes own={own} onMade={(codes) => open({ codes })} />}
      {can('security:write') && <FactorPolicy key={own.policy} own={own} />}
      {dialog}
    </>
  )
}
