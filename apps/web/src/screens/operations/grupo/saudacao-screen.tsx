import { greetingResource } from '@balcao/contract/operations/group-rules.ts'
import { SayingScreen } from './saying-screen.tsx'

export default function SaudacaoScreen() {
  return (
    <SayingScreen
      resource={greetingResource}
      title="Saudação dos grupos"
      purpose="Dita quando alguém entra em um grupo; uma só para todos os que entram juntos."
      emptyText="Dê as boas-vindas e conte as regras do grupo."
      createLabel="Criar saudação"
      logOf="greeting"
      example="Bem-vindo ao {{group}}, {{name}}! Leia as regras na descrição."
    />
  )
}
