import { describeCondition } from '@balcao/contract/contacts/segments/describe.ts'
import { isGroup, type Segment } from '@balcao/contract/contacts/segments/segments.ts'
import { Text } from '@mantine/core'
import { Fragment } from 'react'
import type { SegmentChoices } from './choices.ts'

/** The rules as one reads them; what is gone stands out. */
export const SegmentSentence = ({
  rules: { match, rules },
  nameOf,
}: { rules: Segment } & Pick<SegmentChoices, 'nameOf'>) => {
  if (!rules.length) return <>{match === 'any' ? 'Ninguém' : 'Todos os contatos'}</>
  return (
    <>
      {match === 'none' && 'nenhuma destas: '}
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words in a row
        <Fragment key={index}>
          {index > 0 && <strong> {match === 'all' ? 'e' : 'ou'} </strong>}
          {isGroup(rule) ? (
            <>
              (<SegmentSentence rules={rule} nameOf={nameOf} />)
            </>
          ) : (
            <Words {...describeCondition(rule, nameOf)} />
          )}
        </Fragment>
      ))}
    </>
  )
}

const Words = ({ subject, verb, object, isGone }: ReturnType<typeof describeCondition>) => {
  const said = [subject, verb, object].filter(Boolean).join(' ')
  return isGone ? (
    <Text span inherit c="red">
      {said}
    </Text>
  ) : (
    said
  )
}
