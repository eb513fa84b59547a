import { titleOf } from '@balcao/contract/automation/flows/problems.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useBuilder, useDesk } from '../../../features/automation/flows/builder-context.ts'
import type { Taken } from '../../../features/automation/flows/desk.ts'
import { userOptions } from '../../../features/people/users/api.ts'
import classes from './taken-bar.module.css'

type Props = {
  taken: readonly Taken[]
  /** Null: the settings of the flow. */
  onShow: (nodeId: string | null) => void
  onSettled: (taken: Taken) => void
}

/** Somebody saved the same step meanwhile: theirs is what stands there, ours is kept until one of the two is chosen. */
export const TakenBar = ({ taken, onShow, onSettled }: Props) => {
  const { desk } = useBuilder()
  const nodes = useDesk(desk, (state) => state.nodes)
  const people = useQuery({ ...userOptions, enabled: taken.length > 0 }).data ?? []
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name
  return taken.map((one) => {
    const names = one.userIds.flatMap((id) => nameOf(id) ?? [])
    const who = names.length ? listed(names) : 'Outra pessoa'
    const steps = one.ids.map((id) => `“${titleOf(nodes.get(id))}”`)
    const what = listed([
      ...steps.slice(0, 3),
      ...(steps.length > 3 ? ['outros passos'] : []),
      ...(one.settings ? ['as configurações'] : []),
    ])
    const shown = one.ids.find((id) => nodes.has(id)) ?? null
    const settle = (decide: () => void) => () => {
      decide()
      onSettled(one)
    }
    return (
      <section key={[...one.ids, one.userIds].join()} className={classes.bar} aria-label="Mudança de outra pessoa">
        <span role="status" className={classes.words}>
          {who} {names.length > 1 ? 'salvaram' : 'salvou'} {what} enquanto você editava. O que você escreveu está
          guardado.
        </span>
        {(shown || one.settings) && (
          <Button variant="subtle" size="compact-sm" onClick={() => onShow(shown)}>
            Ver o que mudou
          </Button>
        )}
        <Button variant="subtle" size="compact-sm" onClick={settle(one.dropOurs)}>
          Ficar com esta
        </Button>
        <Button variant="default" size="compact-sm" onClick={settle(one.takeOurs)}>
          Usar a minha
        </Button>
      </section>
    )
  })
}

const listed = (names: string[]) => new Intl.ListFormat('pt-BR').format(names)
