import type { OwnFactors } from '@kassa/contract/auth/factor-schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { useFactorChanges } from '../../../api/second-factor.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { Card } from '../../../ui/places/Card.tsx'

/** How many backup codes are left, and the way to new ones. */
export function BackupCodes({ own, onMade }: { own: OwnFactors; onMade: (codes: readonly string[]) => void }) {
  const { renewBackupCodes } = useFactorChanges()
  const [isAsked, setAsked] = useState(false)
  const renew = async () => {
    try {
      const codes = await renewBackupCodes()
      setAsked(false)
      onMade(codes)
    } catch (thrown) {
      setAsked(false)
      toast.error(asRequestError(thrown).message)
    }
  }
  const left = own.backupCodesLeft
  return (
    <Card
      title={t`Backup codes`}
      actions={
        <Button onClick={() => setAsked(true)}>
          <Trans>Make new codes</Trans>
        </Button>
      }
    >
      <p className="text-body text-muted">
        {left === 0
          ? t`None left. Without one, a lost phone or passkey needs an administrator.`
          : plural(left, { one: '# code left. Each works once.', other: '# codes left. Each works once.' })}
      </p>
      {isAsked && (
        <ConfirmDialog
          title={t`Make new backup codes?`}
          action={t`Make new codes`}
          onConfirm={renew}
          onClose={() => setAsked(false)}
        >
          <Trans>The codes that you have now stop working.</Trans>
        </ConfirmDialog>
      )}
    </Card>
  )
}
