"""The page of a ladder that never ends: who is better than whom, and its parts."""

from playwright.sync_api import expect

from tests.client.services import Service
from tests.client.test_axe import judge
from tests.client.test_people import fits_every_screen
from tests.client.test_tournaments import hold
from tests.client.visitors import Visitor
from tests.faults.people import Client
from tests.running import wait_for


def test_a_ladder_says_who_is_better_and_leads_to_its_other_parts(
    visitor: Visitor, service: Service
) -> None:
    ana = Client(service.port).player("Ana")
    entries = [{"bot": "greedy"}, {"bot": "random"}, {"bot": "random", "name": "Other"}]
    kind = {"type": "endless", "games": 24, "house_games": 24}
    first = hold(ana, entries=entries, format=kind, places=8)["id"]
    url = f"/v1/tournaments/{first}"
    wait_for(lambda: ana.get(url)["part"]["next"] is not None, seconds=60)
    page = visitor.page
    visitor.go(f"/tournaments/{first}")
    ladder = page.get_by_role("region", name="Who is better")
    expect(ladder).to_contain_text("This is part 1")
    table = ladder.get_by_role("region", name="Better than …")
    told = ana.get(f"{url}/report")
    best = told["table"][0]["entry"]
    expect(table.get_by_role("row").nth(1)).to_contain_text(best)
    for entries_ in told["ladder"]["sets"]:
        if len(entries_) > 1:
            expect(ladder.get_by_role("listitem").first).to_contain_text(entries_[0])
    judge(page, "a ladder")
    fits_every_screen(page)
    ladder.get_by_role("link", name="The next part").click()
    page.wait_for_url(f"**/tournaments/{told['part']['next']}")
    expect(page.get_by_role("region", name="Who is better")).to_contain_text("part 2")
    expect(page.locator(".cup-head")).to_contain_text("3 of 8 places are taken")
