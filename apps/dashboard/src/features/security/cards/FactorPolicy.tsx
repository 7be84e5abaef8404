import type { OwnFactors } from '@kassa/contract/auth/factor-schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useFactorChanges } from '../../../api/second-factor.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { RadioGroup } from '../../../ui/fields/RadioGroup.tsx'
import { Card } from '../../../ui/places/Card.tsx'

/** When this install asks its members for a second factor; for those who may say so. */
export function FactorPolicy({ own }: { own: OwnFactors }) {
  const { savePolicy } = useFactorChanges()
  const [chosen, setChosen] = useState<string>(own.policy)
  const [isSending, setSending] = useState(false)
  const save = async () => {
    setSending(true)
    const failure = await failureOf(() => savePolicy(chosen))
    setSending(false)
    if (failure === undefined) toast.success(t`Rule saved`)
    else toast.error(failure)
  }
  return (
    <Card title={t`Rule for everybody`} text={t`Holds for every member of this install, at once.`}>
      <div className="flex flex-col items-start gap-4">
        <RadioGroup
          legend={t`A second factor is asked for`}
          value={chosen}
          onChange={setChosen}
          options={[
            { value: 'optional', label: t`Never`, hint: t`A member who wants one adds it.` },
            { value: 'money', label: t`For money`, hint: t`Nobody moves money, or says where it goes, without one.` },
            { value: 'always', label: t`Always`, hint: t`A member without one can do nothing but add one.` },
          ]}
        />
        <Button kind="primary" loading={isSending} disabled={chosen === own.policy} onClick={() => void save()}>
          <Trans>Save rule</Trans>
        </Button>
      </div>
    </Card>
  )
}
