import type { FlowNode, NodeKind } from '@balcao/contract/automation/flows/graph.ts'
import type { ReactNode } from 'react'
import { ActionForm } from './action-form.tsx'
import { AskForm } from './ask-form.tsx'
import { AssistantForm } from './assistant-form.tsx'
import { CalendarForm } from './calendar-form.tsx'
import { CloseForm } from './close-form.tsx'
import { CommentForm } from './comment-form.tsx'
import { ConditionForm } from './condition-form.tsx'
import { DelayForm } from './delay-form.tsx'
import { ForeignForm } from './foreign-form.tsx'
import type { FormProps } from './form-props.ts'
import { GroupForm } from './group-form.tsx'
import { HandOverForm } from './hand-over-form.tsx'
import { HoursForm } from './hours-form.tsx'
import { HttpForm } from './http-form.tsx'
import { JumpForm } from './jump-form.tsx'
import { MenuForm } from './menu-form.tsx'
import { MessageForm } from './message-form.tsx'
import { PixForm } from './pix-form.tsx'
import { RatingForm } from './rating-form.tsx'
import { RequestForm } from './request-form.tsx'
import { SetForm } from './set-form.tsx'
import { SplitForm } from './split-form.tsx'
import { StartForm } from './start-form.tsx'
import { SubFlowForm } from './sub-flow-form.tsx'
import { WaitForm } from './wait-form.tsx'

type Forms = { [K in NodeKind]: (props: FormProps<K>) => ReactNode }
const forms: Forms = {
  start: StartForm,
  message: MessageForm,
  menu: MenuForm,
  ask: AskForm,
  delay: DelayForm,
  wait: WaitForm,
  condition: ConditionForm,
  hours: HoursForm,
  split: SplitForm,
  set: SetForm,
  action: ActionForm,
  http: HttpForm,
  assistant: AssistantForm,
  calendar: CalendarForm,
  flow: SubFlowForm,
  jump: JumpForm,
  request: RequestForm,
  rating: RatingForm,
  pix: PixForm,
  handOver: HandOverForm,
  close: CloseForm,
  comment: CommentForm,
  group: GroupForm,
  foreign: ForeignForm,
}

type Props = Omit<FormProps<NodeKind>, 'data' | 'onChange' | 'nodeId'> & {
  node: FlowNode
  onChange: (node: FlowNode) => void
}
/** What the step of this kind asks for. */
export const StepForm = ({ node, onChange, ...rest }: Props) => {
  const Form = forms[node.kind] as (props: FormProps<NodeKind>) => ReactNode // the form of its own kind
  return (
    <Form
      {...rest}
      nodeId={node.id}
      data={node.data}
      onChange={(data) => onChange({ ...node, data: { ...node.data, ...data } } as FlowNode)}
    />
  )
}
