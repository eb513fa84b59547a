import { MassScreen } from './mass-screen.tsx'

export default function TemplateVariavelScreen() {
  return (
    <MassScreen
      origin="templateVariables"
      title="Modelos com variáveis por linha"
      purpose="Cole uma tabela: cada coluna preenche um lugar do modelo aprovado."
      noun="Modelo com variáveis"
      onlyTemplate
      fits={({ abilities }) => abilities.supports.includes('template')}
      withoutChannel="Conecte um WhatsApp oficial (API da Meta) em Canais: só ele tem modelos aprovados."
    />
  )
}
