import { Breadcrumbs } from '../ui/places/Breadcrumbs.tsx'
import { Button } from '../ui/actions/Button.tsx'
import { Card } from '../ui/places/Card.tsx'
import { PageActions } from '../ui/places/PageActions.tsx'
import { Popover } from '../ui/overlays/Popover.tsx'
import type { Part } from './specimen.ts'

/** On a phone the bar lies at the bottom edge of the gallery itself, so only one can be shown. */
export const PLACES: readonly Part[] = [
  {
    name: 'PageActions',
    wide: true,
    specimens: [
      {
        state: 'on a phone: a bar, the others behind a button',
        shown: (
          <PageActions
            primary={<Button kind="primary">Create payment link</Button>}
            others={
              <>
                <Button>Find a transaction</Button>
                <Popover label="Export" button={(opener) => <Button {...opener}>Export</Button>}>
                  {() => <Button>Every column</Button>}
                </Popover>
              </>
            }
          />
        ),
      },
    ],
  },
  {
    name: 'Breadcrumbs',
    wide: true,
    specimens: [
      {
        state: 'three deep',
        shown: (
          <Breadcrumbs
            crumbs={[{ label: 'Acme', href: '#acme' }, { label: 'Payments', href: '#payments' }, { label: '0192f3' }]}
          />
        ),
      },
    ],
  },
  {
    name: 'Card',
    wide: true,
    specimens: [
      {
        state: 'with a head',
        shown: (
          <Card
            title="Signed-in devices"
            text="End what you don’t know."
            actions={<Button>Sign out everywhere</Button>}
          >
            <p>One device.</p>
          </Card>
        ),
      },
      { state: 'plain', shown: <Card>Anything.</Card> },
    ],
  },
]
