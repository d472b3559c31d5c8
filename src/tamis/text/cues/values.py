"""What names a value, and what names somebody's role."""

from tamis.text.cues import zh
from tamis.text.cues.phrases import any_of, word_set

FACT_LABELS = any_of("""
    version | port | url | uri | host | hostname | endpoint | ip(?: address)? | address | region | zone
    deadline | due date | release date | start date | end date | date | budget | price | total | cost | amount
    fee | balance | salary | rate | id | uuid | number | code | sku | order | reservation | booking
    confirmation | invoice | account | membership | ticket | issue | pr | pull request | flight | phone
    phone number | email | e-mail | zip(?: code)? | postal code | branch | commit | sha | tag | schema
    database | db | bucket | cluster | namespace | seed | threshold | timeout | limit | quota | size
    batch size | learning rate | model | dimension | count | temperature | concurrency | replicas | retries
    workers | user ?name | username | login | customer id | user id | tenant id | token limit | environment
    env | channel | room | time | duration | birthday | date of birth | dob | status | language | locale
    currency | time ?zone | timezone | weight | height | distance
""")
"""Nouns that name a value."""

IDENTITY_LABELS = word_set("""
    account booking code commit confirmation flight id invoice issue number order pr reservation sku
    ticket user uuid sha
""")
"""What these name is known by its value: "order W1"."""

CODED_LABELS = IDENTITY_LABELS - {"user", "id", "code", "account", "number"}
"""The value has a digit in it, or it is none."""

PASSING_LABELS = word_set("count size time duration rate level height width weight distance status")
"""Printed with every run, these say nothing that lasts; stated, they may."""

MANY_LABELS = IDENTITY_LABELS | word_set("""
    amount balance birthday cost count date distance dob duration fee height port price rate size
    time total weight
""")
"""Of these there are many at a time: a second one stands beside the first."""

ROLES = any_of("""
    owner | co-owner | lead | tech lead | team lead | manager | project manager | product manager
    product owner | pm | cto | ceo | cfo | coo | ciso | vp | director | head | engineer | developer
    designer | architect | contact | point of contact | poc | reviewer | approver | maintainer | author
    customer | client | vendor | supplier | sponsor | stakeholder | on-?call | admin | administrator | dba
    sre | analyst | accountant | lawyer | counsel | auditor | assistant | secretary | intern | contractor
    consultant | tester | qa | scrum master | coordinator | supervisor | boss | colleague | teammate
    doctor | teacher | professor | landlord | tenant | agent | representative | rep | founder | president
    chair | treasurer | buyer | seller | organi[sz]er | host | speaker | mentor | partner | wife | husband
    researcher | scientist
""")

ROLE_VERBS = any_of("""
    owns | leads | manages | maintains | runs | heads | oversees | handles | approves | reviews | signs off
    supervises | administers | coordinates | is responsible for | is in charge of | takes care of
    is the (?:only )?one who | reports to | took over | takes over | has taken over
""")

NOT_PERSONS = (
    word_set("""
    ask tell email mail call ping contact cc dear meet thank with for by from to of on in at as per via inner
    outer a after agent all also although an and another any anyone api april are assistant august be because
    before bot both but can class claude client code could database debug december did do does each either
    error every everyone everything february file first fixme friday function he hello her here hi his how
    however i if info input is it its january july june last let march may method might monday must my neither
    next no nobody none note nothing november now october ok okay once one only or our output phase please
    query request response result saturday second september server she should since so some someone something
    step sunday system task test thanks that the their then there these they third this those thursday todo
    tuesday user warning was we wednesday were what when where which while who why will would yes you your
""")
    | zh.NOT_PERSONS
)
"""Capitalised at the beginning of a sentence, and nobody's name."""

VERBS = word_set("""
    runs run listens listen running listening serves binds sets see has have contains returns uses expects
""")
"""What may stand before a label without being part of its name."""
