import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { failureOf, formFailure } from '../../../api/form-failure.ts'
import { useChangeBlockchain } from '../../../api/nodes.ts'
import type { BlockchainPatch } from '../../../api/nodes.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { useTakenIn } from '../../../lib/forms/useTakenIn.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { ConsequencesDialog } from '../../../ui/overlays/ConsequencesDialog.tsx'
import { NumberField } from '../../../ui/fields/NumberField.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { networkErrors, networkPatch, networkValues } from './network-form.ts'
import type { NetworkValues } from './network-form.ts'

/** What is replaced in an explorer's address. Texts take it as a value, for braces in a text mean one. */
const REPLACED = { tx: '{tx}', address: '{address}' } as const

/** How deep a payment must be buried, and where its links lead. */
export function NetworkSettings({ blockchain }: { blockchain: Blockchain }) {
  const { name, minConfirmations } = blockchain
  const { tx, address } = REPLACED
  const change = useChangeBlockchain(blockchain.code)
  const [failure, setFailure] = useState<string>()
  const [fewer, setFewer] = useState<{ readonly patch: BlockchainPatch; readonly sent: NetworkValues }>()
  const form = useForm<NetworkValues>({
    initial: networkValues(blockchain),
    validate: (values) => networkErrors(values, blockchain),
    submit: async (values) => {
      const patch = networkPatch(values, blockchain)
      setFailure(undefined)
      if (Object.keys(patch).length === 0) return setFailure(t`Nothing was changed.`)
      if ((patch.minConfirmations ?? Infinity) < minConfirmations) return setFewer({ patch, sent: values })
      try {
        await save(patch, values)
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, Object.keys(values))
        setFailure(text)
        return fields
      }
    },
  })
  const { isOvertaken, absorbAnswer } = useTakenIn(form, networkValues(blockchain))
  const save = async (patch: BlockchainPatch, sent: NetworkValues) => {
    // An explorer that was emptied comes back as the usual one.
    absorbAnswer(sent, networkValues(await change(patch)))
    toast.success(t`Settings saved`)
  }
  return (
    <Card title={t`Settings`}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        {isOvertaken && (
          <Banner tone="warning">
            <Trans>
              Somebody else changed this network meanwhile. What you typed is kept: read it before you save.
            </Trans>
          </Banner>
        )}
        <NumberField
          {...form.field('minConfirmations')}
          label={t`Confirmations`}
          min={1}
          max={1000}
          step={1}
          hint={t`Blocks on top of a payment before it counts as final.`}
        />
        <TextField
          {...form.field('explorerTransaction')}
          label={t`Explorer for transactions`}
          mono
          hint={t`${tx} is replaced. Empty: the usual one.`}
        />
        <TextField
          {...form.field('explorerAddress')}
          label={t`Explorer for addresses`}
          mono
          hint={t`${address} is replaced. Empty: the usual one.`}
        />
        <div className="flex justify-end">
          <Button kind="primary" type="submit" loading={form.sending}>
            <Trans>Save settings</Trans>
          </Button>
        </div>
      </form>
      {fewer !== undefined && (
        <ConsequencesDialog
          title={t`Fewer confirmations on ${name}?`}
          consequences={[
            soonerText(fewer.patch.minConfirmations ?? minConfirmations, minConfirmations),
            t`A reorganisation deeper than that takes money back after you were told that it is yours.`,
          ]}
          action={t`Use fewer`}
          onConfirm={() => failureOf(() => save(fewer.patch, fewer.sent))}
          onClose={() => setFewer(undefined)}
        />
      )}
    </Card>
  )
}

function soonerText(next: number, now: number): string {
  return plural(now, {
    one: `Payments count as final after ${next} instead of # block, also those that wait now.`,
    other: `Payments count as final after ${next} instead of # blocks, also those that wait now.`,
  })
}
