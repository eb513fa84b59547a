import { SegmentedControl } from '@mantine/core'
import { useChangeParams, useUrlState } from '../../../kit/url-state.ts'

type Props = { label: string; parts: readonly { value: string; label: string }[] }

/** Which of several lists of a screen; the filters of one are not those of another. */
export const PartSwitch = ({ label, parts }: Props) => {
  const [part] = useUrlState('parte', parts[0]?.value)
  const change = useChangeParams()
  return (
    <SegmentedControl
      aria-label={label}
      value={part}
      onChange={(next) =>
        change((params) => {
          for (const name of [...params.keys()]) params.delete(name)
          params.set('parte', next)
        })
      }
      data={[...parts]}
    />
  )
}
